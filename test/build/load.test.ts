import { cpSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, inject, test, vi } from 'vitest';
import { cacheFileOf, loadBundle, toScript } from '#lib/runtime/load-bundle.ts';
import { folder, newSummary, openLanes, startFunction } from '#test/process/harness.ts';
import { brokenReplies, forwardTo, type Reply, startServer } from '#test/support/server.ts';
import { buildBundle } from '#tools/build/bundle.ts';
import { defaultOptimizations } from '#tools/build/optimizations.ts';

const bundle = join(folder.path, 'update-file.cjs');
const moduleIn = (name: string) => join(folder.path, name, 'update-file.mjs');
let cache = '';
beforeAll(async () => {
  const optimizations = [...defaultOptimizations, 'code-cache' as const];
  const file = join(folder.path, 'cached', 'update-file.cjs');
  const { files } = await buildBundle({ file, optimizations });
  cache = files.at(-1) ?? '';
});

/** In front of the engine, for the rest of a test. Returns the names of the calls that have arrived. */
const startProxy = async (reply = forwardTo(inject('endpoint'))) => {
  const { endpoint, received } = await startServer(reply);
  const calls = () => received.map(({ headers }) => String(headers['x-amz-target']).replace(/.*\./, ''));
  return { endpoint, calls };
};

/** Loads a file as Lambda does, by default the one that is deployed. Returns what sends a request to it. */
const load = async (file?: string, endpoint = inject('endpoint'), flags: readonly string[] = []) => {
  const instance = await startFunction(await openLanes(1), endpoint, { ...(file && { file }), flags });
  const send = () => instance.send(0);
  return Object.assign(send, { startLine: instance.startLine });
};
const updated = { statusCode: 200, body: expect.stringContaining(newSummary(0)) };

test('the bundle alone makes no call before its first request', async () => {
  const { endpoint, calls } = await startProxy();
  const send = await load(bundle, endpoint);
  expect(calls()).toEqual([]);
  expect(await send()).toMatchObject(updated);
  expect(calls()).toEqual(['BatchGetItem', 'UpdateItem']);
});

test('with priming it makes one read while it is loaded, and responds the same', async () => {
  const { endpoint, calls } = await startProxy();
  const send = await load(undefined, endpoint);
  expect(calls()).toEqual(['BatchGetItem']);
  expect(await send()).toMatchObject(updated);
  expect(calls()).toEqual(['BatchGetItem', 'BatchGetItem', 'UpdateItem']);
});

test('if DynamoDB cannot be reached while it is loaded, the first request works as usual', async () => {
  let reply: Reply = brokenReplies.reset;
  const { endpoint, calls } = await startProxy((...call) => reply(...call));
  const send = await load(undefined, endpoint);
  expect(new Set(calls())).toEqual(new Set(['BatchGetItem']));
  reply = forwardTo(inject('endpoint'));
  expect(await send()).toMatchObject(updated);
  expect(calls().slice(-2)).toEqual(['BatchGetItem', 'UpdateItem']);
});

const expectUpdated = async (name: string, codeCache: string, flags?: readonly string[]) => {
  const send = await load(moduleIn(name), undefined, flags);
  expect(await send()).toMatchObject(updated);
  const start = { level: 'info', bundle: expect.stringMatching(/^[0-9a-f]{16}$/), node: process.version };
  expect(await send.startLine()).toEqual({ ...start, codeCache });
};

test('each start logs whether V8 accepted the code cache, and each responds the same', async () => {
  await expectUpdated('cached', 'accepted');
  // Lambda starts Node with this flag, so a code cache for it must be built with it.
  await expectUpdated('cached', 'rejected', ['--expose-gc']);
  const damaged = dirname(moduleIn('damaged'));
  cpSync(dirname(cache), damaged, { recursive: true });
  const copy = cache.replace(dirname(cache), damaged);
  writeFileSync(copy, 'not compiled code');
  await expectUpdated('damaged', 'rejected');
  renameSync(copy, copy.replace(process.version, 'v0.0.0'));
  await expectUpdated('damaged', 'absent');
});

test('a code cache fits a Node with the flags that NODE_OPTIONS gave to the build', async () => {
  const file = join(folder.path, 'flags', 'update-file.cjs');
  vi.stubEnv('NODE_OPTIONS', '--expose-gc');
  await buildBundle({ file, optimizations: [...defaultOptimizations, 'code-cache'] });
  vi.unstubAllEnvs();
  await expectUpdated('flags', 'accepted', ['--expose-gc']);
});

test('a code cache is used for its own bundle, hash, Node and architecture only', () => {
  const file = join(folder.path, 'bundle.cjs');
  writeFileSync(file, 'exports.at = new Error().stack; exports.eol = require("node:os").EOL;');
  expect(cacheFileOf(file, 'hash')).toBe(`${file}.hash.${process.version}-${process.arch}.cache`);
  const code = toScript(file).createCachedData();
  expect(toScript(file, code).cachedDataRejected).toBe(false);
  writeFileSync(cacheFileOf(file, 'hash'), code);
  const exported = { at: expect.stringContaining(`${file}:1:14`), eol: '\n' };
  expect(loadBundle(file, 'hash')).toEqual({ bundle: exported, codeCache: 'accepted' });
  expect(loadBundle(file, 'other')).toEqual({ bundle: exported, codeCache: 'absent' });
  const longer = join(folder.path, 'longer.cjs');
  writeFileSync(longer, 'exports.text = "Longer than the other file, so that V8 sees another length.";');
  writeFileSync(cacheFileOf(longer, 'hash'), code);
  expect(loadBundle(longer, 'hash').codeCache).toBe('rejected');
});
