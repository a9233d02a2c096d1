import crypto from 'node:crypto';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { errorResponses } from '#lib/http/responses.ts';
import { buildTestedBundle } from '#test/support/bundle.ts';
import { expectOutcome } from '#test/support/contract.ts';
import { aContext } from '#test/support/event.ts';
import { NOW } from '#test/support/given.ts';
import { events, type Outcome, outcomes, requests } from '#test/support/outcomes.ts';
import { settingsFor, temporaryFolder } from '#test/support/processes.ts';
import { openTables, restoreFiles, seed, type Tables } from '#test/support/tables.ts';
import { projectRoot } from '#tools/project.ts';
import { loadData, readData } from '#tools/tables/data.ts';

const [seeded, demo] = await Promise.all([openTables('outcomes'), openTables('demo')]);
const demoData = readData(join(projectRoot, 'tools/tables/demo-data.json'));
/** The files as `npm start` stores them. */
const demoFiles: Record<string, unknown>[] = [];
const folder = temporaryFolder();
const file = join(folder.path, 'update-file.cjs');
const require = createRequire(import.meta.url);
afterAll(folder.remove);
beforeAll(async () => {
  // `npm start` runs before the first event.
  vi.spyOn(Date, 'now').mockReturnValue(NOW - 60_000);
  await Promise.all([buildTestedBundle(file), seed(seeded), loadData(demo.client, demo.names, demoData)]);
  const [, , files = []] = await demo.everything();
  demoFiles.push(...files);
});
beforeEach(() => {
  const ids: { randomUUID: () => string } = crypto;
  vi.spyOn(ids, 'randomUUID').mockReturnValue('request-1');
  // The source imports it by name.
  syncBuiltinESMExports();
  vi.spyOn(Date, 'now').mockReturnValue(NOW);
  // Each instance adds a listener for a closed stdout.
  vi.spyOn(process.stdout, 'on').mockReturnThis();
});

test('each error code has a row in the table of outcomes', () => {
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
  const respond = async ({ names, getFile }: Tables, event: unknown, outcome: Outcome) => {
    const settings = { ...settingsFor(inject('endpoint')), ...names };
    for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
    const lines: string[] = [];
    vi.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
    const { handler } = await load();
    await expectOutcome(event, outcome, getFile, async (sent, remainingMs) => {
      const response = await handler(sent, aContext(remainingMs));
      return { response, lines };
    });
  };

  test.each(requests)('responds to %s as the contract says', async (_, event, outcome) => {
    await restoreFiles(seeded);
    await respond(seeded, event, outcome);
  });

  test.each(events)('responds to %s on the data of npm start as its row says', async (_, event, outcome) => {
    await Promise.all(demoFiles.map(demo.putFile));
    await respond(demo, event, outcome);
  });
});
