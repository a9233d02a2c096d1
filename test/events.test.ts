import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { errorResponses } from '#lib/http/responses.ts';
import { aContext } from './support/event.ts';
import { NOW } from './support/given.ts';
import { instanceLoaders, stubSettings } from './support/instances.ts';
import { eventNames, outcomes } from './support/outcomes.ts';
import { replayEvent } from './support/replay-event.ts';
import { restoreFiles, seed } from './support/seed.ts';
import { openTables } from './support/tables.ts';

const tables = await openTables('events');
beforeAll(() => {
  stubSettings(inject('endpoint'), tables);
  const ids: { randomUUID: () => string } = crypto;
  vi.spyOn(ids, 'randomUUID').mockReturnValue('request-1');
  // The source imports it by name.
  syncBuiltinESMExports();
  vi.spyOn(Date, 'now').mockReturnValue(NOW);
  // Each instance adds a listener for a closed stdout.
  vi.spyOn(process.stdout, 'on').mockReturnThis();
});
beforeAll(() => seed(tables));
beforeEach(() => restoreFiles(tables));

test('every event has an outcome, every outcome an event, and every error code both', () => {
  expect(eventNames).toHaveLength(70);
  expect(eventNames.toSorted()).toEqual(Object.keys(outcomes).toSorted());
  const codes = new Set(Object.values(outcomes).map(({ log }) => log.outcome));
  expect(codes).toEqual(new Set(['updated', ...Object.keys(errorResponses)]));
});

describe.each(instanceLoaders())('%s responds to each event as the contract says', (_, load) => {
  test.each(Object.entries(outcomes))('%s', async (name, outcome) => {
    const lines: string[] = [];
    vi.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
    const { handler } = await load();
    await replayEvent(name, outcome, tables.getFile, async (event, remainingMs) => {
      const response = await handler(event, aContext(remainingMs));
      return { response, lines };
    });
  });
});
