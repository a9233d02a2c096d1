'use strict';
/** A warm process: invocations in a row, or by several callers at once. Argument: the handler's file. */

require('node:http');
const { nextJob, tell } = require('./channel.cjs');
const { invoke } = require('./invoke.cjs');
const { load } = require('./load.cjs');
const { peakMemoryMb } = require('./peak-memory.cjs');

/** Every caller has one request under way at any time; the events go round. Gives milliseconds per request. */
const loop = async (handler, { events, callers }, requests) => {
  const wallMs = new Float64Array(requests);
  let begun = 0;
  const call = async () => {
    while (begun < requests) {
      const index = begun;
      begun += 1;
      const startedAt = performance.now();
      await invoke(handler, events[index % events.length]);
      wallMs[index] = performance.now() - startedAt;
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  return wallMs;
};

const main = async () => {
  const { handler, initMs } = await load(process.argv[2]);
  tell({ initMs });
  const job = nextJob();
  // One after the other: a crowd at code that is not compiled yet would run into its own timeouts.
  await loop(handler, { ...job, callers: 1 }, job.warmUp);
  const before = process.cpuUsage();
  const wallMs = await loop(handler, job, job.requests);
  const { user, system } = process.cpuUsage(before);
  const peakMb = peakMemoryMb();
  tell({ cpuUs: (user + system) / job.requests, wallMs: [...wallMs], peakMb });
};

main();
