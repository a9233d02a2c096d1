import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anEvent, aRestEvent } from '#test/support/event.ts';
import { anError } from '#test/support/service.ts';
import { openTables, type Tables } from '#test/support/tables.ts';
import { putGiven } from './support/given-records.ts';
import { refuseUnchanged } from './support/refuse.ts';

let tables: Tables;
beforeAll(async () => {
  tables = await openTables('error-event');
});
beforeEach(() => putGiven(tables));

const refuse = (event: unknown) => refuseUnchanged(tables, event);

describe('what is not a PATCH request of API Gateway is refused and never throws', () => {
  test.each([
    undefined,
    null,
    {},
    [],
    'ping',
    7,
    { source: 'aws.events', 'detail-type': 'Scheduled Event' },
    { Records: [{ body: '{}' }] },
    anEvent({ extra: { version: '3.0' } }),
    anEvent({ extra: { headers: null } }),
    anEvent({ extra: { headers: 'x-user-id: grace' } }),
    anEvent({ extra: { headers: { 'x-user-id': 7 } } }),
    anEvent({ extra: { body: { summary: 'a' } } }),
    anEvent({ extra: { requestContext: { http: { method: 'GET' } } } }),
    aRestEvent({ extra: { httpMethod: 'DELETE' } }),
    aRestEvent({ extra: { multiValueHeaders: { 'x-user-id': 'grace' } } }),
  ])('%j', async (event) => {
    expect(await refuse(event)).toEqual(anError(400, 'x-user-id is required'));
  });

  test('an event without path parameters names no space', async () => {
    expect(await refuse(anEvent({ extra: { pathParameters: null } }))).toEqual(
      anError(404, 'Space not found'),
    );
  });
});
