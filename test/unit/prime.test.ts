import { expect, test } from 'vitest';
import { updateFile } from '#handlers/update-file.ts';
import type { ApiRequest } from '#lib/http/event.ts';
import { createStore } from '#lib/runtime/deps.ts';
import { createPrime } from '#lib/runtime/prime.ts';
import { createEnvironment } from '#test/support/environment.ts';
import { aFile, anApiKey, aSpace } from '#test/support/given.ts';
import { openTables } from '#test/support/tables.ts';

const fail = (): never => {
  throw new Error('not set: FILES_TABLE');
};
const never = () => new Promise<never>(() => undefined);

test('priming reads once, writes nothing and logs nothing, even if its dummy ids exist', async () => {
  const tables = await openTables('prime');
  await tables.putApiKey(anApiKey({ key: '-', tenantId: '-' }));
  await tables.putSpace(aSpace({ tenantId: '-', spaceId: '-', ownerId: '-' }));
  await tables.putFile(aFile({ spaceId: '-', fileId: '-' }));
  const before = await tables.everything();

  const environment = createEnvironment();
  const store = createStore({ client: tables.client, ...tables.config }, environment);
  const deps = { ...environment, store: () => store };
  await createPrime(updateFile(deps), deps)();
  // The second one is aborted before it is sent.
  expect(tables.takeCalls()).toEqual(['BatchGetItemCommand', 'UpdateItemCommand']);
  expect(await tables.everything()).toEqual(before);
  expect(environment.logged()).toEqual([]);
  expect(environment.timers()).toEqual([]);
});

/** Primes with an operation and a write that is never sent. Returns what was called. */
const prime = async (operation: (request: ApiRequest) => Promise<unknown>, overrides = {}) => {
  const environment = createEnvironment(overrides);
  const dryRuns: unknown[] = [];
  const dryRunWrite = async (patch: unknown) => void dryRuns.push(patch);
  const store = () => ({ readAccess: fail, updateFile: fail, dryRunWrite });
  const primed = createPrime(operation, { ...environment, store, ...overrides })();
  await environment.advance(1_000);
  return { result: await primed, dryRuns, timers: environment.timers() };
};
const done = { result: undefined, dryRuns: [{ summary: '-', documentKind: null }], timers: [] };
const nothingWorks = { now: fail, uptime: fail, newId: fail, store: fail };

test.each([
  ['nothing', async () => undefined, {}, done],
  ['the operation', async () => fail(), {}, done],
  ['the operation, at once', fail, {}, done],
  ['a missing setting', async () => undefined, { store: fail }, { ...done, dryRuns: [] }],
  ['a step that does not settle', never, {}, { ...done, dryRuns: [] }],
])('priming ends without an error and takes its other steps although there fails: %s', async (...row) => {
  const [, operation, overrides, expected] = row;
  expect(await prime(operation, overrides)).toEqual(expected);
});

test.each([
  ['the store and every source of values', nothingWorks],
  ['the timer', { startTimer: fail }],
])('priming never throws, not even without %s', async (_, overrides) => {
  const environment = createEnvironment();
  const deps = { ...environment, store: fail, ...overrides };
  await expect(createPrime(fail, deps)()).resolves.toBeUndefined();
});

test('the operation has one second', async () => {
  const deadlines: number[] = [];
  await prime(async ({ context }) => void deadlines.push(context.deadline));
  expect(deadlines).toEqual([1_000]);
});
