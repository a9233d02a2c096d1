'use strict';

const { readFileSync } = require('node:fs');

/**
 * The most memory this process ever held, in MB. Linux counts what a process held before it was given its program
 * into maxRSS, and that is the measuring process: /proc leaves it out.
 */
exports.peakMemoryMb = () => {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS / 1024;
  const [, kilobytes] = readFileSync('/proc/self/status', 'utf8').match(/VmHWM:\s+(\d+) kB/);
  return Number(kilobytes) / 1024;
};
