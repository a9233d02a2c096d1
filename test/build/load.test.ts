import { once } from 'node:events';
import { cpSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { cacheFileOf, loadBundle, toScript } from '#lib/runtime/load-bundle.ts';
import { settingsFor } from '#test/support/endpoint.ts';
import { anEvent } from '#test/support/event.ts';
import { aFileView } from '#test/support/given.ts';
import { temporaryFolder } from '#test/support/processes.ts';
import { brokenReplies, forwardTo, type Reply, startServer } from '#test/support/server.ts';
import { openTables } from '#test/support/tables.ts';
import { buildBundle } from '#tools/build/bundle.ts';
import { defaultOptimizations } from '#tools/build/optimizations.ts';

const folder = temporaryFolder();
afterAll(folder.remove);
const bundleIn = (name: string) => join(folder.path, name, 'update-file.cjs');
const moduleIn = (name: string) => join(folder.path, name, 'update-file.mjs');
const tables = await openTables('entry');
let cache = '';
beforeAll(async () => {
  await tables.putGiven();
  await buildBundle({ file: bundleIn('primed') });
  const optimizations = [...defaultOptimizations, 'code-cache' as const];
  const { files } = await buildBundle({ file: bundleIn('cached'), optimizations });
  cache = files.at(-1) ?? '';
});

/** In front of the engine, for the rest of a test. Returns the names of the calls that have arrived. */
const startProxy = async (reply = forwardTo(inject('endpoint'))) => {
  const { endpoint, received } = await startServer(reply);
  const calls = () => received.map(({ headers }) => String(headers['x-amz-target']).replace(/.*\./, ''));
  return { endpoint, calls };
};

/** Loads a handler as Lambda does, then sends back the response to each event. */
const host = `
  const { parentPort, workerData } = require('node:worker_threads');
  const respond = (handler) => async (event) => parentPort.postMessage(
    await handler(event, { getRemainingTimeInMillis: () => 10_000 }),
  );
  import(workerData).then(({ handler }) => {
    parentPort.on('message', respond(handler));
    parentPort.postMessage('loaded');
  });`;
const load = async (file: string, endpoint = inject('endpoint')) => {
  const { apiKeysTable, spacesTable, filesTable } = tables.config;
  const names = { API_KEYS_TABLE: apiKeysTable, SPACES_TABLE: spacesTable, FILES_TABLE: filesTable };
  const env = { ...settingsFor(endpoint), ...names };
  const worker = new Worker(host, { eval: true, workerData: file, env, execArgv: [], stdout: true });
  onTestFinished(async () => void (await worker.terminate()));
  await once(worker, 'message');
  return async (): Promise<unknown> => {
    worker.postMessage(anEvent());
    return (await once(worker, 'message'))[0];
  };
};
const updated = { statusCode: 200, body: JSON.stringify(aFileView({ summary: 'New.' })) };

test('the bundle alone makes no call before its first request', async () => {
  const { endpoint, calls } = await startProxy();
  const send = await load(bundleIn('primed'), endpoint);
  expect(calls()).toEqual([]);
  expect(await send()).toMatchObject(updated);
  expect(calls()).toEqual(['BatchGetItem', 'UpdateItem']);
});

test('with priming it makes one read while it is loaded, and responds the same', async () => {
  const { endpoint, calls } = await startProxy();
  const send = await load(moduleIn('primed'), endpoint);
  expect(calls()).toEqual(['BatchGetItem']);
  expect(await send()).toMatchObject(updated);
  expect(calls()).toEqual(['BatchGetItem', 'BatchGetItem', 'UpdateItem']);
});

test('if DynamoDB cannot be reached while it is loaded, the first request works as usual', async () => {
  let reply: Reply = brokenReplies.reset;
  const { endpoint, calls } = await startProxy((...call) => reply(...call));
  const send = await load(moduleIn('primed'), endpoint);
  expect(new Set(calls())).toEqual(new Set(['BatchGetItem']));
  reply = forwardTo(inject('endpoint'));
  expect(await send()).toMatchObject(updated);
  expect(calls().slice(-2)).toEqual(['BatchGetItem', 'UpdateItem']);
});

test('a code cache changes no response, nor does one that is damaged or of another Node', async () => {
  expect(await (await load(moduleIn('cached')))()).toMatchObject(updated);
  cpSync(dirname(cache), dirname(bundleIn('damaged')), { recursive: true });
  const copy = cache.replace(dirname(cache), dirname(bundleIn('damaged')));
  writeFileSync(copy, 'not compiled code');
  expect(await (await load(moduleIn('damaged')))()).toMatchObject(updated);
  renameSync(copy, copy.replace(process.version, 'v0.0.0'));
  expect(await (await load(moduleIn('damaged')))()).toMatchObject(updated);
});

test('a code cache is used for its own bundle, hash, Node and architecture only', () => {
  const file = join(folder.path, 'bundle.cjs');
  writeFileSync(file, 'exports.at = __filename; exports.eol = require("node:os").EOL;');
  expect(cacheFileOf(file, 'hash')).toBe(`${file}.hash.${process.version}-${process.arch}.cache`);
  const code = toScript(file).createCachedData();
  expect(toScript(file, code).cachedDataRejected).toBe(false);
  writeFileSync(cacheFileOf(file, 'hash'), code);
  for (const hash of ['hash', 'other']) expect(loadBundle(file, hash)).toEqual({ at: file, eol: '\n' });
  const longer = join(folder.path, 'longer.cjs');
  writeFileSync(longer, 'exports.text = "Longer than the other file, so that V8 sees another length.";');
  expect(toScript(longer, code).cachedDataRejected).toBe(true);
});
