import { beforeAll, beforeEach, expect, test } from 'vitest';
import { anEvent } from '#test/support/event.ts';
import { FILE_ID } from '#test/support/given.ts';
import { startService } from '#test/support/service.ts';
import { openTables, type Tables } from '#test/support/tables.ts';
import { putGiven } from './support/given-records.ts';

let tables: Tables;
beforeAll(async () => {
  tables = await openTables('happy-log');
});
beforeEach(() => putGiven(tables));

test('a request leaves one line in the log', async () => {
  const service = startService(tables);
  await service.send(anEvent({ body: '{"summary":"Not for the log."}' }));
  expect(service.logged()).toEqual([
    {
      level: 'info',
      outcome: 'updated',
      status: 200,
      requestId: 'request-1',
      awsRequestId: 'lambda-1',
      gatewayRequestId: 'gateway-1',
      format: '2.0',
      tenantId: 'acme',
      userId: 'grace',
      keyId: 'key-1',
      spaceId: 'handbook',
      fileId: FILE_ID,
      ms: 0,
      refusals: 0,
      retries: 0,
    },
  ]);
});
