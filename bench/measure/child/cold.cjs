'use strict';
/** A fresh process: one init, one first invocation. Argument: the handler's file. */

// Lambda's own runtime client has loaded it before any handler; node:https it has not.
require('node:http');
const { nextJob, tell } = require('./channel.cjs');
const { invoke } = require('./invoke.cjs');
const { load } = require('./load.cjs');

const main = async () => {
  const { handler, initMs } = await load(process.argv[2]);
  tell({ initMs });
  const { event } = nextJob();
  const startedAt = performance.now();
  await invoke(handler, event);
  const firstMs = performance.now() - startedAt;
  tell({ firstMs, firstRssMb: process.memoryUsage.rss() / 2 ** 20 });
};

main();
