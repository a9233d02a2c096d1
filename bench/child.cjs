'use strict';
/**
 * A process that has loaded a variant, as the runtime client of Lambda does. Argument: the file of the handler. It
 * reports on descriptor 3 that it is loaded, waits there for one job, does it and reports the result.
 */

// The runtime client has loaded node:http before any handler; node:https it has not.
require('node:http');
const { readFileSync, readSync, writeSync } = require('node:fs');
const { pathToFileURL } = require('node:url');

const channel = 3;

const context = {
  awsRequestId: '6f1f5a3e-5a0b-4b8e-9a53-8d2f0a6f2c11',
  functionName: 'space-files-bench',
  invokedFunctionArn: 'arn:aws:lambda:us-east-1:123456789012:function:space-files-bench',
  getRemainingTimeInMillis: () => 10_000,
};

const report = (message) => writeSync(channel, `${JSON.stringify(message)}\n`);

/** Blocks the process until the job arrives, so that nothing else runs meanwhile. */
const nextJob = () => {
  const chunk = Buffer.alloc(65_536);
  let line = '';
  while (!line.endsWith('\n')) {
    const length = readSync(channel, chunk);
    if (length === 0) throw new Error('the measuring process has ended');
    line += chunk.toString('latin1', 0, length);
  }
  return JSON.parse(Buffer.from(line, 'latin1').toString());
};

/** The event arrives as text and the response leaves as text, as in Lambda. */
const invoke = async (handler, event) => {
  const response = await handler(JSON.parse(event), context);
  return { ...response, text: JSON.stringify(response) };
};

/** Every caller has one request in flight; the events are taken in turn. Gives milliseconds per request. */
const loop = async (handler, { events, callers, requests }) => {
  const wallMs = new Float64Array(requests);
  let started = 0;
  const call = async () => {
    while (started < requests) {
      const index = started;
      started += 1;
      const startedAt = performance.now();
      const { statusCode, text } = await invoke(handler, events[index % events.length]);
      wallMs[index] = performance.now() - startedAt;
      // The time of any other response is the time of something else.
      if (statusCode !== 200) throw new Error(`expected 200, got ${text}`);
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  return [...wallMs];
};

/** The most memory that this process ever held. maxRSS counts that of the parent process too, /proc does not. */
const peakMb = () => {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS / 1024;
  const [, kilobytes] = readFileSync('/proc/self/status', 'utf8').match(/VmHWM:\s+(\d+) kB/);
  return Number(kilobytes) / 1024;
};

const main = async () => {
  const [, , file] = process.argv;
  const startedAt = performance.now();
  const { handler } = file.endsWith('.mjs') ? await import(pathToFileURL(file).href) : require(file);
  const loadMs = performance.now() - startedAt;
  report('loaded');
  const job = nextJob();
  if (job.respond) {
    const responses = [];
    for (const event of job.events) {
      const { statusCode, body } = await invoke(handler, event);
      responses.push({ status: statusCode, body: JSON.parse(body) });
    }
    return report(responses);
  }
  // One by one: many callers at code that is not compiled yet would run into their own timeouts.
  await loop(handler, { ...job, callers: 1, requests: job.warmUp });
  const before = process.cpuUsage();
  const wallMs = await loop(handler, job);
  const { user, system } = process.cpuUsage(before);
  report({ loadMs, wallMs, cpuUs: (user + system) / job.requests, peakMb: peakMb() });
};

main();
