import crypto from 'node:crypto';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { errorResponses } from '#lib/http/responses.ts';
import { replayEvent } from '#test/support/contract.ts';
import { aContext } from '#test/support/event.ts';
import { NOW } from '#test/support/given.ts';
import { eventNames, outcomes } from '#test/support/outcomes.ts';
import { settingsFor, temporaryFolder } from '#test/support/processes.ts';
import { openTables, restoreFiles, seed } from '#test/support/tables.ts';
import { buildBundle } from '#tools/build/bundle.ts';

const tables = await openTables('events');
const folder = temporaryFolder();
const file = join(folder.path, 'update-file.cjs');
const require = createRequire(import.meta.url);
afterAll(folder.remove);
beforeAll(() => Promise.all([buildBundle({ file }), seed(tables)]));
beforeEach(async () => {
  const settings = { ...settingsFor(inject('endpoint')), ...tables.names };
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  const ids: { randomUUID: () => string } = crypto;
  vi.spyOn(ids, 'randomUUID').mockReturnValue('request-1');
  // The source imports it by name.
  syncBuiltinESMExports();
  vi.spyOn(Date, 'now').mockReturnValue(NOW);
  // Each instance adds a listener for a closed stdout.
  vi.spyOn(process.stdout, 'on').mockReturnThis();
  await restoreFiles(tables);
});

test('each event has an outcome, each outcome has an event, and each error code has both', () => {
  expect(eventNames.toSorted()).toEqual(Object.keys(outcomes).toSorted());
  const codes = new Set(Object.values(outcomes).map(({ log }) => log.outcome));
  expect(codes).toEqual(new Set(['updated', ...Object.keys(errorResponses)]));
});

/** Each loads the function once more, as another Lambda instance would. */
const loaders = {
  'the source': () => {
    vi.resetModules();
    return import('#handlers/update-file.ts');
  },
  'the deployed bundle': () => {
    delete require.cache[file];
    return require(file);
  },
};
describe.each(Object.entries(loaders))('%s', (_, load) => {
  test.each(Object.entries(outcomes))('responds to %s as the contract says', async (name, outcome) => {
    const lines: string[] = [];
    vi.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
    const { handler } = await load();
    await replayEvent(name, outcome, tables.getFile, async (event, remainingMs) => {
      const response = await handler(event, aContext(remainingMs));
      return { response, lines };
    });
  });
});
