'use strict';
// A process that loads a variant, as the runtime client of Lambda does, and sends it requests. The job is JSON on its
// standard input; the result is the last line of its error output. A wrong response ends it.

// The runtime client has loaded node:http before any handler; node:https it has not.
require('node:http');
const { readFileSync, writeSync } = require('node:fs');
const timers = require('node:timers');
const { pathToFileURL } = require('node:url');
const { isDeepStrictEqual } = require('node:util');

const { file, requests, ...job } = JSON.parse(readFileSync(0, 'utf8'));
const { warmUp = 0, count = requests.length, slowdown = 1 } = job;

// Where everything is slower, the clocks of a variant are too: else its timeouts would end a request.
if (slowdown > 1) {
  const [{ setTimeout }, { uptime }] = [globalThis, process];
  const setLater = (run, ms, ...values) => setTimeout(run, ms * slowdown, ...values);
  for (const owner of [globalThis, timers]) owner.setTimeout = setLater;
  process.uptime = () => uptime() / slowdown;
}

const context = {
  awsRequestId: '6f1f5a3e-5a0b-4b8e-9a53-8d2f0a6f2c11',
  functionName: 'space-files-bench',
  invokedFunctionArn: 'arn:aws:lambda:us-east-1:123456789012:function:space-files-bench',
  getRemainingTimeInMillis: () => 10_000,
};

const isPartOf = (part, whole) =>
  Object.entries(part).every(([name, value]) => isDeepStrictEqual(whole[name], value));

/** Sends requests one after the other, taken in turn. */
const loop = async (handler, times) => {
  for (let index = 0; index < times; index += 1) {
    const { name, event, status, has } = requests[index % requests.length];
    // The event arrives as text and the response leaves as text, as in Lambda.
    const response = await handler(JSON.parse(event), context);
    JSON.stringify(response);
    // A figure of any other response would be that of something else.
    const fits = has === undefined || isPartOf(has, JSON.parse(response.body));
    if (response.statusCode === status && fits) continue;
    const expected = `${status} ${JSON.stringify(has ?? {})}`;
    throw new Error(`${name}: expected ${expected}, got ${response.statusCode} ${response.body}`);
  }
};

/** Of this thread. Only Node.js 22, on which nothing but the tests runs this, cannot tell threads apart. */
const cpuUsage = process.threadCpuUsage ?? process.cpuUsage;

/** The most memory that this process ever held. maxRSS counts that of the parent process too, /proc does not. */
const peakKb = () =>
  process.platform === 'linux'
    ? Number(readFileSync('/proc/self/status', 'utf8').match(/VmHWM:\s+(\d+) kB/)[1])
    : process.resourceUsage().maxRSS;

const run = async () => {
  const { handler } = file.endsWith('.mjs') ? await import(pathToFileURL(file).href) : require(file);
  await loop(handler, warmUp);
  const before = cpuUsage();
  await loop(handler, count);
  const cpuUs = cpuUsage(before).user / count;
  writeSync(2, `\n${JSON.stringify({ cpuUs, peakMb: peakKb() / 1024 })}\n`);
};

// A variant keeps its connections, so that the process would not end.
(file === undefined ? Promise.resolve() : run()).then(() => process.exit());
