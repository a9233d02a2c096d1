import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { buildBundle } from '#tools/build/bundle.ts';
import { openBundle } from './support/bundle.ts';
import { aContext } from './support/context.ts';
import { expectContract } from './support/contract.ts';
import { useEndpoint } from './support/endpoint.ts';
import { NOW } from './support/given.ts';
import { outcomes } from './support/outcomes.ts';
import { eventNames, replayEvent, type StartService } from './support/replay-event.ts';
import { seed } from './support/seed.ts';
import { startService } from './support/service.ts';
import { openTables, type Tables } from './support/tables.ts';

const build = mkdtempSync(join(tmpdir(), 'space-files-'));
const file = join(build, 'update-file.cjs');
beforeAll(async () => {
  await buildBundle({ file });
  useEndpoint(inject('endpoint'));
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(build, { recursive: true });
});

/** The same as startService, over the very file that is deployed. */
const startBundle: StartService = ({ config }, { remainingMs = 10_000 } = {}) => {
  const lines: string[] = [];
  let requests = 0;
  const handler = openBundle({
    file,
    config,
    now: () => NOW,
    newId: () => `request-${++requests}`,
    log: (line) => void lines.push(line),
  });
  return {
    send: async (event) =>
      expectContract(await handler(JSON.parse(JSON.stringify(event)), aContext(remainingMs))),
    logged: () => lines.map((line) => JSON.parse(line)),
  };
};

test('every event has an outcome and every outcome an event', () => {
  expect(eventNames.toSorted()).toEqual(Object.keys(outcomes).toSorted());
});

describe.each([
  ['the source', startService],
  ['the bundle that is deployed', startBundle],
])('%s answers each event of events/ as the contract says and leaves the record so', (_, start) => {
  let tables: Tables;
  beforeAll(async () => {
    tables = await openTables('events');
  });
  beforeEach(() => seed(tables));

  test.each(Object.entries(outcomes))('%s', (name, outcome) => replayEvent(name, outcome, { tables, start }));
});
