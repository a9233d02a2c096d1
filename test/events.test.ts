import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { buildBundle } from '#local/build/bundle.ts';
import { openBundle } from './support/bundle.ts';
import { expectContract } from './support/contract.ts';
import { useEndpoint } from './support/endpoint.ts';
import { aContext } from './support/event.ts';
import { NOW } from './support/given.ts';
import { outcomes } from './support/outcomes.ts';
import { eventNames, replayEvent, type StartService } from './support/replay-event.ts';
import { seed } from './support/seed.ts';
import { startService } from './support/service.ts';
import { openTables } from './support/tables.ts';

const folder = mkdtempSync(join(tmpdir(), 'space-files-'));
const file = join(folder, 'update-file.cjs');
const tables = await openTables('events');
beforeAll(async () => {
  await buildBundle({ file });
  useEndpoint(inject('endpoint'));
});
beforeEach(() => seed(tables));
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

/** The same as startService, with the file that is deployed. */
const startBundle: StartService = ({ config }, { remainingMs = 10_000 } = {}) => {
  const lines: string[] = [];
  let requests = 0;
  const newId = () => `request-${++requests}`;
  const handler = openBundle({ file, config, now: () => NOW, newId, log: (line) => void lines.push(line) });
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
  ['the deployed bundle', startBundle],
])('%s responds to each event of events/ as the contract says', (_, start) => {
  test.each(Object.entries(outcomes))('%s', (name, outcome) => replayEvent(name, outcome, { tables, start }));
});
