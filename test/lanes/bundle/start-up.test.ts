import { globSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, inject, test, vi } from 'vitest';
import { buildFunction, newSummary, openSpaces, startFunction } from '#test/lanes/bundle/lambda-function.ts';
import { brokenReplies, forwardTo, jsonReply, type Reply, startServer } from '#test/support/server.ts';
import { buildBundle } from '#tools/bundle/bundle.ts';
import { projectRoot } from '#tools/project.ts';

const folder = buildFunction();
const bundle = join(folder, 'update-file.cjs');
/** Builds a bundle with a code cache. Returns what Lambda loads. */
const buildCached = async (name: string) => {
  const file = join(folder, name, 'update-file.cjs');
  await buildBundle(file, true);
  return file.replace(/cjs$/, 'mjs');
};

/**
 * In front of the engine, for the rest of a test. Returns the names of the calls that have arrived, each once: on a busy
 * machine, a call takes longer than its attempt, which is then repeated.
 */
const startProxy = async (reply = forwardTo(inject('endpoint'))) => {
  const { endpoint, received } = await startServer(reply);
  const names = () => received.map(({ headers }) => String(headers['x-amz-target']).replace(/.*\./, ''));
  return { endpoint, calls: () => [...new Set(names())] };
};

const updated = { response: { statusCode: 200, body: expect.stringContaining(newSummary(0)) } };

/** On a busy machine, the time for priming may be over before its call leaves. Then the function is started again. */
const startPrimed = async ({ endpoint, calls }: Awaited<ReturnType<typeof startProxy>>) => {
  const tables = await openSpaces(1);
  const start = async () => {
    const instance = await startFunction(tables, endpoint);
    expect(calls()).toEqual(['BatchGetItem']);
    return instance;
  };
  return vi.waitFor(start, { timeout: 60_000, interval: 0 });
};

test('the bundle alone makes no call while it is loaded', async () => {
  const { endpoint, calls } = await startProxy();
  const { send } = await startFunction(await openSpaces(1), endpoint, { file: bundle });
  expect(calls()).toEqual([]);
  expect(await send(0)).toMatchObject(updated);
  expect(calls()).toEqual(['BatchGetItem', 'UpdateItem']);
});

test('the primed bundle reads while it is loaded, and responds the same', async () => {
  const proxy = await startProxy();
  const { send } = await startPrimed(proxy);
  expect(await send(0)).toMatchObject(updated);
  expect(proxy.calls()).toEqual(['BatchGetItem', 'UpdateItem']);
});

test('the primed bundle updates by its first request if DynamoDB cannot be reached while it is loaded', async () => {
  let reply: Reply = brokenReplies.reset;
  const proxy = await startProxy((...call) => reply(...call));
  const { send } = await startPrimed(proxy);
  reply = forwardTo(inject('endpoint'));
  expect(await send(0)).toMatchObject(updated);
  expect(proxy.calls()).toEqual(['BatchGetItem', 'UpdateItem']);
});

test.each([
  [
    'responds the same, where Node finds the SDK',
    { NODE_PATH: join(projectRoot, 'node_modules') },
    { response: { statusCode: 200 }, line: { outcome: 'updated' } },
  ],
  [
    'responds 500 elsewhere',
    {},
    { response: { statusCode: 500 }, line: { error: { code: 'MODULE_NOT_FOUND' } } },
  ],
])('with credentials from a container endpoint, the function %s', async (_, path, expected) => {
  const credentials = { AccessKeyId: 'local', SecretAccessKey: 'local', Token: 'local' };
  const container = await startServer(
    jsonReply(JSON.stringify({ ...credentials, Expiration: '2100-01-01T00:00:00Z' })),
  );
  const { names } = await openSpaces(1);
  const settings = { AWS_ACCESS_KEY_ID: '', AWS_CONTAINER_CREDENTIALS_FULL_URI: container.endpoint };
  const { send } = await startFunction({ names: { ...names, ...settings, ...path } });
  expect(await send(0)).toMatchObject(expected);
});

test('each start logs whether V8 accepted the code cache, and responds the same', async () => {
  const expectUpdated = async (file: string, flags: readonly string[], codeCache: string) => {
    const { send, startLine } = await startFunction(await openSpaces(1), undefined, { file, flags });
    expect(await send(0)).toMatchObject(updated);
    const start = { level: 'info', bundle: expect.stringMatching(/^[0-9a-f]{16}$/), node: process.version };
    expect(await startLine()).toEqual({ ...start, codeCache });
  };
  const file = await buildCached('cached');
  await expectUpdated(file, [], 'accepted');
  // As the benchmark counts a start.
  const countedStart = ['--random-seed=1', '--min-semi-space-size=32', '--no-memory-reducer'];
  await expectUpdated(file, countedStart, 'accepted');
  // Lambda starts Node with this flag, so a code cache for it must be built with it.
  await expectUpdated(file, ['--expose-gc'], 'rejected');
  vi.stubEnv('NODE_OPTIONS', '--expose-gc');
  const fitting = await buildCached('flags');
  vi.unstubAllEnvs();
  await expectUpdated(fitting, ['--expose-gc'], 'accepted');
  // AWS updates Node: the cache in the zip is then of the version before.
  const [cache = expect.unreachable()] = globSync(join(dirname(file), '*.cache'));
  renameSync(cache, cache.replace(process.version, 'v24.0.0'));
  await expectUpdated(file, [], 'absent');
});
