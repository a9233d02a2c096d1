'use strict';
/** A fresh process: one init, one first invocation, and more after it. Argument: the handler's file. */

// Lambda's own runtime client has loaded it before any handler; node:https it has not.
require('node:http');
const { nextJob, tell } = require('./channel.cjs');
const { invoke } = require('./invoke.cjs');
const { load } = require('./load.cjs');

const timed = async (handler, event) => {
  const startedAt = performance.now();
  await invoke(handler, event);
  return performance.now() - startedAt;
};

const main = async () => {
  const { handler, initMs } = await load(process.argv[2]);
  tell({ initMs });
  const { event, more } = nextJob();
  const firstMs = await timed(handler, event);
  const firstRssMb = process.memoryUsage.rss() / 2 ** 20;
  const wallMs = [];
  while (wallMs.length < more) wallMs.push(await timed(handler, event));
  tell({ firstMs, firstRssMb, wallMs });
};

main();
