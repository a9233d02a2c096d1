import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { createUpdateHandler } from '#handlers/update-file.ts';
import { cacheFileOf, loadBundle, requireScript } from '#lib/runtime/load-bundle.ts';
import { dryRun } from '#lib/runtime/prime.ts';
import type { System } from '#lib/system.ts';
import { aContext } from '#test/support/event.ts';
import { aFile, apiKeyRecord, aSpace, FIRST_VERSION } from '#test/support/fixtures.ts';
import { temporaryFolder } from '#test/support/processes.ts';
import { aResponse } from '#test/support/responses.ts';
import { simulateTables, tableNames, toClient } from '#test/support/simulated-tables.ts';
import { createTestSystem, watch } from '#test/support/system.ts';
import { projectRoot } from '#tools/project.ts';

// What happens while Lambda starts the function: the bundle is loaded, and then primed.
const folder = temporaryFolder();
afterAll(folder.remove);

test('loadBundle uses a code cache for its own bundle, hash, Node and architecture only', () => {
  const file = join(folder.path, 'bundle.cjs');
  writeFileSync(file, 'exports.handler = new Error().stack; exports.prime = require("node:os").EOL;');
  expect(cacheFileOf(file, 'hash')).toBe(`${file}.hash.${process.version}-${process.arch}.cache`);
  const code = requireScript(file).script.createCachedData();
  expect(requireScript(file, code).script.cachedDataRejected).toBe(false);
  writeFileSync(cacheFileOf(file, 'hash'), code);
  const exported = { handler: expect.stringContaining(`${file}:1:19`), prime: '\n' };
  expect(loadBundle(file, 'hash')).toEqual({ bundle: exported, codeCache: 'accepted' });
  expect(loadBundle(file, 'other')).toEqual({ bundle: exported, codeCache: 'absent' });
  const other = join(folder.path, 'other.cjs');
  writeFileSync(other, 'exports.handler = exports.prime = "of another length, which V8 sees";');
  writeFileSync(cacheFileOf(other, 'hash'), code);
  const text = 'of another length, which V8 sees';
  expect(loadBundle(other, 'hash')).toEqual({
    bundle: { handler: text, prime: text },
    codeCache: 'rejected',
  });
});

test.each(['exports.handler = () => 1;', 'exports.prime = () => 1;', 'module.exports = undefined;'])(
  'a file that is no bundle does not load: %s',
  (text) => {
    const file = join(folder.path, 'no-bundle.cjs');
    writeFileSync(file, text);
    const message = 'the bundle does not export handler and prime';
    expect(() => requireScript(file)).toThrow(message);
    expect(() => loadBundle(file, 'no code cache')).toThrow(message);
  },
);

/** Loads what Lambda loads, with a bundle that notes what happens. Returns what has happened, in order. */
const start = async () => {
  const events: unknown[] = [];
  const file = join(folder.path, 'function.cjs');
  writeFileSync(
    file,
    // Node keeps the module from one test to the next.
    `exports.handler = () => 'handled';
exports.prime = async () => {
  events.push('priming begins');
  await new Promise(setImmediate);
  events.push('priming ends');
};`,
  );
  const BUNDLE = relative(join(projectRoot, 'lib', 'runtime'), file);
  for (const [name, value] of Object.entries({ BUNDLE, BUNDLE_HASH: '0123456789abcdef', events }))
    vi.stubGlobal(name, value);
  vi.stubEnv('COMMIT', 'c0ffee');
  vi.spyOn(process.stdout, 'write').mockImplementation((line) => events.push(JSON.parse(String(line))) > 0);
  vi.resetModules();
  const loaded = await import('#lib/runtime/entry.ts');
  return [...events, loaded.handler(undefined, aContext())];
};
const errorListeners = process.stdout.listeners('error');
afterEach(() => {
  process.stdout.removeAllListeners('error');
  for (const listener of errorListeners) process.stdout.on('error', (error) => listener(error));
});
const startLine = {
  level: 'info',
  bundle: '0123456789abcdef',
  commit: 'c0ffee',
  node: process.version,
  codeCache: 'absent',
};

test('the function is ready after it is primed', async () => {
  expect(await start()).toEqual([startLine, 'priming begins', 'priming ends', 'handled']);
});

test('a closed stdout does not end the function', async () => {
  process.stdout.removeAllListeners('error');
  await start();
  expect(process.stdout.emit('error', new Error('closed'))).toBe(true);
});

const fail = (): never => {
  throw new Error('not set: FILES_TABLE');
};

/** Primes with these tables, for so many milliseconds. Returns the response of the dry run, and what it has left. */
const primeWith = async (
  send: Parameters<typeof toClient>[0],
  overrides: Partial<System> = {},
  milliseconds = 1_000,
) => {
  const system = createTestSystem(overrides);
  const tables = () => ({ ...tableNames, client: toClient(send) });
  const primed = watch(dryRun(createUpdateHandler, system, tables));
  await system.advance(milliseconds);
  return { primed: primed(), lines: system.logged(), timers: system.timers() };
};
const left = { lines: [], timers: [] };

test('priming is a dry run that succeeds: it reads once, and writes and logs nothing, even if its ids exist', async () => {
  const tables = simulateTables();
  tables.put('apiKeys', apiKeyRecord({ key: '-', tenantId: '-' }));
  tables.put('spaces', aSpace({ tenantId: '-', spaceId: '-', ownerId: '-' }));
  tables.put('files', aFile({ spaceId: '-', fileId: '-' }));
  const calls: (readonly [name: string, isAborted: boolean | undefined])[] = [];
  const { primed, ...rest } = await primeWith(async (command, signal) => {
    calls.push([command.constructor.name, signal?.aborted]);
    // As if the write was sent although it is aborted.
    return tables.send(command);
  });
  expect(rest).toEqual(left);
  expect(primed, 'lib/runtime/prime.ts: a file must have each field, and the patch too').toMatchObject({
    value: {
      statusCode: 200,
      headers: { etag: `"${FIRST_VERSION}"` },
      // Of a field without a value in its patch, it would be null.
      body: expect.not.stringContaining(':null'),
    },
  });
  expect(calls).toEqual([
    ['BatchGetCommand', false],
    ['UpdateCommand', true],
  ]);
  expect(tables.get('files', { spaceId: '-', fileId: '-' })).toEqual(aFile({ spaceId: '-', fileId: '-' }));
});

const unavailable = aResponse(
  503,
  { message: 'Service Unavailable' },
  { 'x-error-code': 'unavailable', 'retry-after': '1' },
);
const opaque = aResponse(500, { message: 'Internal Server Error' }, { 'x-error-code': 'internal-error' });
const hang = () => new Promise<never>(() => undefined);
test.each<[string, () => Promise<unknown>, Partial<System>, object]>([
  ['DynamoDB rejects the read', async () => fail(), {}, opaque],
  ['DynamoDB does not respond', hang, {}, unavailable],
  ['no timer starts', async () => ({}), { startTimer: fail }, opaque],
  [
    'nothing works',
    async () => fail(),
    { now: fail, uptime: fail, newId: fail, startTimer: fail },
    aResponse(500, { message: 'Internal Server Error' }, { 'x-error-code': 'internal-error' }, 'unknown'),
  ],
])('priming ends within a second if %s', async (_, send, overrides, response) => {
  expect(await primeWith(send, overrides)).toEqual({ ...left, primed: { value: response } });
});

// With less, a slow DynamoDB would leave the first request as slow as without priming.
test('priming waits for DynamoDB for nearly all of its second', async () => {
  expect(await primeWith(hang, {}, 899)).toMatchObject({ primed: 'not settled' });
  expect(await primeWith(hang, {}, 900)).toMatchObject({ primed: { value: unavailable } });
});

test('priming leaves it to the first request to report a missing setting', async () => {
  const system = createTestSystem();
  expect(await dryRun(createUpdateHandler, system, fail)).toBe(undefined);
  expect(system.logged()).toEqual([]);
});
