'use strict';
// A process that loads a handler, as the runtime client of Lambda does, and sends it an event some times. Arguments: the
// handler, or nothing to load none; how many times; the name of the event in events/; and the status and a part of the body
// that each response must have.

// The runtime client has loaded node:http before any handler; node:https it has not.
require('node:http');
const timers = require('node:timers');
const { pathToFileURL } = require('node:url');

const [file, times = 0, name = 'update-file', status = 200, body = ''] = process.argv.slice(2);
const event = JSON.stringify(require(`../events/${name}.json`));

// valgrind is about 50 times slower. The clocks of a handler are too: else its timeouts would end a request.
const SLOWDOWN = 100;
const { setTimeout } = globalThis;
const setLater = (run, ms, ...values) => setTimeout(run, ms * SLOWDOWN, ...values);
for (const owner of [globalThis, timers]) owner.setTimeout = setLater;
const { uptime } = process;
process.uptime = () => uptime() / SLOWDOWN;

const context = {
  awsRequestId: '6f1f5a3e-5a0b-4b8e-9a53-8d2f0a6f2c11',
  getRemainingTimeInMillis: () => 10_000,
};

const run = async () => {
  const { handler } = file.endsWith('.mjs') ? await import(pathToFileURL(file).href) : require(file);
  for (let count = 0; count < Number(times); count += 1) {
    // The event arrives as text and the response leaves as text, as in Lambda.
    const response = await handler(JSON.parse(event), context);
    const sent = JSON.stringify(response);
    // A figure of any other response would be that of something else.
    if (response.statusCode === Number(status) && response.body.includes(body)) continue;
    throw new Error(`${name}: expected ${status} with ${body}, got ${sent}`);
  }
};

// A handler keeps its connections, so that the process would not end.
(file ? run() : Promise.resolve()).then(() => process.exit());
