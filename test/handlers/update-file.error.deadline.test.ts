import { beforeAll, beforeEach, expect, test } from 'vitest';
import { anEvent } from '#test/support/event.ts';
import { anError, startService } from '#test/support/service.ts';
import { openTables, type Tables } from '#test/support/tables.ts';
import { putGiven } from './support/given-records.ts';

let tables: Tables;
beforeAll(async () => {
  tables = await openTables('error-deadline');
});
beforeEach(() => putGiven(tables));

test('with too little time left nothing is begun', async () => {
  const before = await tables.everything();
  const service = startService(tables, { remainingMs: 500 });
  expect(await service.send(anEvent())).toEqual(anError(503, 'Service Unavailable', { 'retry-after': '1' }));
  expect(await tables.everything()).toEqual(before);
  expect(service.logged()).toMatchObject([
    { level: 'error', outcome: 'unavailable', reason: 'deadline passed' },
  ]);
});
