import crypto from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Context } from 'aws-lambda';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { type ApiResponse, errorResponses } from '#lib/http/responses.ts';
import { buildBundle } from '#tools/build/bundle.ts';
import { expectContract } from './support/contract.ts';
import { settingsFor } from './support/endpoint.ts';
import { aContext } from './support/event.ts';
import { NOW } from './support/given.ts';
import { outcomes } from './support/outcomes.ts';
import { temporaryFolder } from './support/processes.ts';
import { eventNames, replayEvent, type StartService } from './support/replay-event.ts';
import { seed } from './support/seed.ts';
import { startService } from './support/service.ts';
import { openTables } from './support/tables.ts';

const folder = temporaryFolder();
const tables = await openTables('events');
const file = join(folder.path, 'update-file.cjs');
beforeAll(async () => {
  await buildBundle({ file });
  for (const [name, value] of Object.entries({ ...settingsFor(inject('endpoint')), ...tables.names }))
    vi.stubEnv(name, value);
  const ids: { randomUUID: () => string } = crypto;
  vi.spyOn(ids, 'randomUUID').mockReturnValue('request-1');
  vi.spyOn(Date, 'now').mockReturnValue(NOW);
  // Each instance adds a listener for a closed stdout.
  vi.spyOn(process.stdout, 'on').mockReturnThis();
});
beforeEach(() => seed(tables));
afterAll(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  folder.remove();
});

type Handler = (event: unknown, context: Context) => Promise<ApiResponse>;
const require = createRequire(import.meta.url);
/** The file that is deployed, loaded once more, as another Lambda instance would. */
const startBundle: StartService = (_, { remainingMs } = {}) => {
  const lines: string[] = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
  delete require.cache[file];
  const bundle: { readonly handler: Handler } = require(file);
  return {
    send: async (event) => expectContract(await bundle.handler(event, aContext(remainingMs))),
    logged: () => lines.map((line) => JSON.parse(line)),
  };
};

test('every event has an outcome, every outcome an event, and every error code both', () => {
  expect(eventNames.toSorted()).toEqual(Object.keys(outcomes).toSorted());
  const codes = new Set(Object.values(outcomes).map(({ log }) => log.outcome));
  expect(codes).toEqual(new Set(['updated', ...Object.keys(errorResponses)]));
});

describe.each([
  ['the source', startService],
  ['the deployed bundle', startBundle],
])('%s responds to each event of events/ as the contract says', (_, start) => {
  test.each(Object.entries(outcomes))('%s', (name, outcome) => replayEvent(name, outcome, { tables, start }));
});
