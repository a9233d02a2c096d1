import { beforeAll, beforeEach, expect, test } from 'vitest';
import { anEvent } from '#test/support/event.ts';
import { aFileView, FIRST_VERSION } from '#test/support/given.ts';
import { aResponse, startService } from '#test/support/service.ts';
import { openTables, type Tables } from '#test/support/tables.ts';
import { putGiven } from './support/given-records.ts';

let tables: Tables;
beforeAll(async () => {
  tables = await openTables('happy-ignored');
});
beforeEach(() => putGiven(tables));

const etag = { etag: `"${FIRST_VERSION}"` };

test('unknown headers, query parameters and a method override change nothing', async () => {
  const headers = { 'x-http-method-override': 'DELETE', 'x-forwarded-user': 'ada' };
  const extra = { queryStringParameters: { 'x-user-id': 'ada', summary: 'Other.' } };
  const response = await startService(tables).send(anEvent({ headers, extra }));
  expect(response).toEqual(aResponse(200, aFileView({ summary: 'New.' }), etag));
});
