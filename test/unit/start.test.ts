import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { dryRun, eventReader, updateFile } from '#handlers/update-file.ts';
import { createEventReader } from '#lib/http/event.ts';
import type { ApiRequest } from '#lib/http/open-request.ts';
import { cacheFileOf, loadBundle, requireScript } from '#lib/runtime/load-bundle.ts';
import { createPrime } from '#lib/runtime/prime.ts';
import { createUpdateStore } from '#lib/store/update-file.ts';
import { aFile, apiKeyRecord, aSpace } from '#test/support/fixtures.ts';
import { temporaryFolder } from '#test/support/processes.ts';
import { createTables, directClient, tableNames, toClient } from '#test/support/simulated-tables.ts';
import { createTestSystem } from '#test/support/system.ts';

// What happens while Lambda starts the function: the bundle is loaded, and then primed.
const folder = temporaryFolder();
afterAll(folder.remove);

test('loadBundle uses a code cache for its own bundle, hash, Node and architecture only', () => {
  const file = join(folder.path, 'bundle.cjs');
  writeFileSync(file, 'exports.at = new Error().stack; exports.eol = require("node:os").EOL;');
  expect(cacheFileOf(file, 'hash')).toBe(`${file}.hash.${process.version}-${process.arch}.cache`);
  const code = requireScript(file).script.createCachedData();
  expect(requireScript(file, code).script.cachedDataRejected).toBe(false);
  writeFileSync(cacheFileOf(file, 'hash'), code);
  const exported = { at: expect.stringContaining(`${file}:1:14`), eol: '\n' };
  expect(loadBundle(file, 'hash')).toEqual({ bundle: exported, codeCache: 'accepted' });
  expect(loadBundle(file, 'other')).toEqual({ bundle: exported, codeCache: 'absent' });
  const other = join(folder.path, 'other.cjs');
  writeFileSync(other, 'exports.text = "of another length, which V8 sees";');
  writeFileSync(cacheFileOf(other, 'hash'), code);
  const bundle = { text: 'of another length, which V8 sees' };
  expect(loadBundle(other, 'hash')).toEqual({ bundle, codeCache: 'rejected' });
});

const fail = (): never => {
  throw new Error('not set: FILES_TABLE');
};
const never = () => new Promise<never>(() => undefined);

test('priming reads once, writes nothing and logs nothing, even if its dummy ids exist', async () => {
  const tables = createTables();
  tables.put('apiKeys', apiKeyRecord({ key: '-', tenantId: '-' }));
  tables.put('spaces', aSpace({ tenantId: '-', spaceId: '-', ownerId: '-' }));
  tables.put('files', aFile({ spaceId: '-', fileId: '-' }));
  const calls: (readonly [string, boolean | undefined])[] = [];
  const client = toClient(async (command, signal) => {
    calls.push([command.constructor.name, signal?.aborted]);
    return Reflect.apply(directClient(tables).send, undefined, [command]);
  });

  const system = createTestSystem();
  const store = createUpdateStore({ client, ...tableNames }, system);
  const deps = { ...system, store: () => store };
  await createPrime(eventReader, [updateFile(deps), dryRun(deps)], deps)();
  // The second one is aborted before it is sent.
  expect(calls).toEqual([
    ['BatchGetCommand', false],
    ['UpdateCommand', true],
  ]);
  expect(tables.get('files', { spaceId: '-', fileId: '-' })).toEqual(aFile({ spaceId: '-', fileId: '-' }));
  expect(system.logged()).toEqual([]);
  expect(system.timers()).toEqual([]);
});

/** Primes with a step, and with one after it. Returns what was called. */
const prime = async (step: () => Promise<unknown>, overrides = {}) => {
  const system = createTestSystem(overrides);
  const deadlines: number[] = [];
  const paths: object[] = [];
  const first = ({ context }: ApiRequest<'a' | 'b'>) => {
    deadlines.push(context.deadline);
    return step();
  };
  const second = async ({ path }: ApiRequest<'a' | 'b'>) => void paths.push(path);
  const primed = createPrime(createEventReader(['a', 'b']), [first, second], system)();
  await system.advance(1_000);
  return { result: await primed, deadlines, paths, timers: system.timers() };
};
const done = { result: undefined, deadlines: [900], paths: [{ a: '-', b: '-' }], timers: [] };
const everything = { now: fail, uptime: fail, newId: fail };

test.each([
  ['nothing', async () => undefined, {}, done],
  ['a step', async () => fail(), {}, done],
  ['a step, at once,', fail, {}, done],
  ['a step that never settles', never, {}, { ...done, paths: [] }],
  ['the timer', fail, { startTimer: fail }, { ...done, deadlines: [], paths: [] }],
  ['everything', fail, everything, { ...done, deadlines: [], paths: [] }],
])('priming goes on when %s fails', async (...row) => {
  const [, step, overrides, expected] = row;
  expect(await prime(step, overrides)).toEqual(expected);
});
