'use strict';
/**
 * A process that has loaded a variant, as the runtime client of Lambda does. Argument: the file of the handler. It
 * tells its parent that it is loaded, does each job that it is sent, and sends the result. A wrong response ends it.
 */

// The runtime client has loaded node:http before any handler; node:https it has not.
require('node:http');
const { readFileSync } = require('node:fs');
const { pathToFileURL } = require('node:url');
const { isDeepStrictEqual } = require('node:util');

const context = {
  awsRequestId: '6f1f5a3e-5a0b-4b8e-9a53-8d2f0a6f2c11',
  functionName: 'space-files-bench',
  invokedFunctionArn: 'arn:aws:lambda:us-east-1:123456789012:function:space-files-bench',
  getRemainingTimeInMillis: () => 10_000,
};

/** A figure of any other response would be that of something else. */
const check = ({ name, status, body: expected }, { statusCode, body }) => {
  const fits = expected === undefined || isDeepStrictEqual(JSON.parse(body), expected);
  if (statusCode === status && fits) return;
  throw new Error(`${name}: expected ${status} ${JSON.stringify(expected ?? {})}, got ${statusCode} ${body}`);
};

/** Sends `count` requests one after the other, taken in turn. Gives the milliseconds of each. */
const loop = async (handler, requests, count) => {
  const wallMs = new Float64Array(count);
  for (let index = 0; index < count; index += 1) {
    const request = requests[index % requests.length];
    const startedAt = performance.now();
    // The event arrives as text and the response leaves as text, as in Lambda.
    const response = await handler(JSON.parse(request.event), context);
    JSON.stringify(response);
    wallMs[index] = performance.now() - startedAt;
    check(request, response);
  }
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
  process.on('message', async ({ requests, warmUp, count }) => {
    await loop(handler, requests, warmUp);
    const before = process.cpuUsage();
    const wallMs = await loop(handler, requests, count);
    const { user, system } = process.cpuUsage(before);
    process.send({ loadMs, wallMs, cpuUs: (user + system) / count, peakMb: peakMb() });
  });
  process.send('loaded');
};

main();
