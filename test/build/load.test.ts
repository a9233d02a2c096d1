import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, renameSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { cacheFileOf, loadBundle, toScript } from '#lib/runtime/load-bundle.ts';
import { settingsFor } from '#test/support/endpoint.ts';
import { anEvent } from '#test/support/event.ts';
import { aFile, aFileView, anApiKey, aSpace } from '#test/support/given.ts';
import { temporaryFolder } from '#test/support/processes.ts';
import { openTables, type Tables } from '#test/support/tables.ts';
import { buildBundle } from '#tools/build/bundle.ts';
import { defaultOptimizations } from '#tools/build/optimizations.ts';

const folder = temporaryFolder();
afterAll(folder.remove);
const bundleIn = (name: string) => join(folder.path, name, 'update-file.cjs');
const moduleIn = (name: string) => join(folder.path, name, 'update-file.mjs');
let tables: Tables;
let cache = '';
beforeAll(async () => {
  await buildBundle({ file: bundleIn('primed') });
  const { files } = await buildBundle({
    file: bundleIn('cached'),
    optimizations: [...defaultOptimizations, 'code-cache'],
  });
  cache = files.at(-1) ?? '';
  tables = await openTables('entry');
  await Promise.all([tables.putApiKey(anApiKey()), tables.putSpace(aSpace()), tables.putFile(aFile())]);
});

/** In front of the engine: records the calls, and fails them while it is closed. */
const calls: string[] = [];
let isOpen = true;
const proxy = createServer((incoming, outgoing) => {
  calls.push(String(incoming.headers['x-amz-target']).replace(/.*\./, ''));
  if (!isOpen) return void outgoing.destroy();
  const { method, headers } = incoming;
  const toEngine = request(inject('endpoint'), { method, headers }, (reply) => {
    reply.pipe(outgoing.writeHead(reply.statusCode ?? 0, reply.headers));
  });
  incoming.pipe(toEngine);
});
beforeAll(() => once(proxy.listen(0, '127.0.0.1'), 'listening'));
afterAll(() => void proxy.close());
beforeEach(() => {
  calls.length = 0;
});

/** Loads a handler as Lambda does, then sends back the response to each event. */
const host = `
const { handler } = await import(process.argv[2]);
process.send('loaded');
process.on('message', async (event) => {
  process.send(await handler(event, { getRemainingTimeInMillis: () => 10_000 }));
});`;
const running: ChildProcess[] = [];
afterAll(() => Promise.all(running.map((child) => child.kill() && once(child, 'exit'))));
const load = async (file: string) => {
  const address = proxy.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const hostFile = join(folder.path, 'host.mjs');
  writeFileSync(hostFile, host);
  const child = fork(hostFile, [file], {
    env: { HOME: '/nonexistent', ...settingsFor(`http://127.0.0.1:${port}`), ...tables.names },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  running.push(child);
  const exited = once(child, 'exit').then(([code]) => Promise.reject(new Error(`ended with ${code}`)));
  exited.catch(() => undefined);
  const message = async (): Promise<unknown> => (await Promise.race([once(child, 'message'), exited]))[0];
  await message();
  return (event: unknown) => {
    child.send(JSON.parse(JSON.stringify(event)));
    return message();
  };
};
const updated = { statusCode: 200, body: JSON.stringify(aFileView({ summary: 'New.' })) };

test('the bundle alone makes no call before its first request', async () => {
  const send = await load(bundleIn('primed'));
  expect(calls).toEqual([]);
  expect(await send(anEvent())).toMatchObject(updated);
  expect(calls).toEqual(['BatchGetItem', 'UpdateItem']);
});

test('with priming it makes one read while it is loaded, and responds the same', async () => {
  const send = await load(moduleIn('primed'));
  expect(calls).toEqual(['BatchGetItem']);
  expect(await send(anEvent())).toMatchObject(updated);
  expect(calls).toEqual(['BatchGetItem', 'BatchGetItem', 'UpdateItem']);
});

test('if DynamoDB cannot be reached while it is loaded, the first request works as usual', async () => {
  isOpen = false;
  const send = await load(moduleIn('primed'));
  expect(new Set(calls)).toEqual(new Set(['BatchGetItem']));
  isOpen = true;
  expect(await send(anEvent())).toMatchObject(updated);
  expect(calls.slice(-2)).toEqual(['BatchGetItem', 'UpdateItem']);
});

test('a code cache changes no response, nor does one that is damaged or of another Node', async () => {
  expect(await (await load(moduleIn('cached')))(anEvent())).toMatchObject(updated);
  cpSync(dirname(cache), dirname(bundleIn('damaged')), { recursive: true });
  const copy = cache.replace(dirname(cache), dirname(bundleIn('damaged')));
  writeFileSync(copy, 'not compiled code');
  expect(await (await load(moduleIn('damaged')))(anEvent())).toMatchObject(updated);
  renameSync(copy, copy.replace(process.version, 'v0.0.0'));
  expect(await (await load(moduleIn('damaged')))(anEvent())).toMatchObject(updated);
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
  writeFileSync(
    longer,
    'exports.longer = 1; exports.than = "the other file, so that V8 sees another length";',
  );
  expect(toScript(longer, code).cachedDataRejected).toBe(true);
});
