import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { errorResponses } from '#lib/http/responses.ts';
import { createClient } from '#lib/runtime/deps.ts';
import { buildBundle } from '#tools/build/bundle.ts';
import { openBundle } from './support/bundle.ts';
import { expectContract } from './support/contract.ts';
import { useEndpoint } from './support/endpoint.ts';
import { aContext, anEvent } from './support/event.ts';
import { aFile, aFileView, FILE_ID, FIRST_VERSION, NOW } from './support/given.ts';
import { outcomes } from './support/outcomes.ts';
import { eventNames, replayEvent, type StartService } from './support/replay-event.ts';
import { seed } from './support/seed.ts';
import { forwardTo, loseReplyOf, startServer } from './support/server.ts';
import { anUpdate, aResponse, startService } from './support/service.ts';
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
const startBundle: StartService = ({ config }, { remainingMs = 10_000, newId = () => 'request-1' } = {}) => {
  const lines: string[] = [];
  const handler = openBundle({ file, config, now: () => NOW, newId, log: (line) => void lines.push(line) });
  return {
    send: async (event) =>
      expectContract(await handler(JSON.parse(JSON.stringify(event)), aContext(remainingMs))),
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

const startSource: StartService = ({ config }, options) =>
  startService({ client: createClient(), config }, options);

test.each([
  ['the source', startSource],
  ['the deployed bundle', startBundle],
])('%s: a write whose response was lost has no effect after a later write', async (_, start) => {
  await tables.putGiven();
  const engine = inject('endpoint');
  const [lost, others] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const proxy = await startServer(
    forwardTo(engine),
    async (...call) => {
      await loseReplyOf(engine)(...call);
      lost.resolve();
    },
    async (...call) => {
      await others.promise;
      await forwardTo(engine)(...call);
    },
  );
  const send = (newId: () => string, body: string) => start(tables, { newId }).send(anEvent({ body }));

  useEndpoint(proxy.endpoint);
  const responseToA = send(() => 'A', '{"summary":"A"}');
  await lost.promise;
  useEndpoint(engine);
  expect([await send(() => 'B', '{"documentKind":"B"}'), await send(() => 'C', '{"summary":"C"}')]).toEqual([
    anUpdate(aFileView({ summary: 'A', documentKind: 'B' }), FIRST_VERSION + 1, 'B'),
    anUpdate(aFileView({ summary: 'C', documentKind: 'B' }), FIRST_VERSION + 2, 'C'),
  ]);
  others.resolve();
  expect(await responseToA).toEqual(
    aResponse(503, { message: 'Service Unavailable' }, { 'retry-after': '1' }, 'A'),
  );
  const stored = { summary: 'C', documentKind: 'B', version: FIRST_VERSION + 2, requestId: 'C' };
  expect(await tables.getFile('handbook', FILE_ID)).toEqual(aFile({ ...stored, updatedBy: 'grace' }));
  expect(proxy.received.length).toBeGreaterThanOrEqual(3);
});
