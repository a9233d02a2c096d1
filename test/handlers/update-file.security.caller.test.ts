import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anEvent, aRestEvent } from '#test/support/event.ts';
import { anError, startService } from '#test/support/service.ts';
import { openTables, type Tables } from '#test/support/tables.ts';
import { putGiven } from './support/given-records.ts';
import { refuseTapped } from './support/refuse.ts';

let tables: Tables;
beforeAll(async () => {
  tables = await openTables('security-caller');
});
beforeEach(() => putGiven(tables));

const refuse = (event: unknown) => refuseTapped(tables, event);

describe('the ids of the caller', () => {
  test.each([
    ['x-user-id', undefined, 'is required'],
    ['x-user-id', '', 'is required'],
    ['x-user-id', ' \t\u00a0\u200b', 'is required'],
    ['x-user-id', 'grace,ada', 'is invalid'],
    ['x-user-id', 'grace ', 'is invalid'],
    ['x-user-id', 'grace\r\nx-tenant-id: globex', 'is invalid'],
    ['x-user-id', 'grace\u0000', 'is invalid'],
    ['x-user-id', 'gra\u200bce', 'is invalid'],
    ['x-user-id', '\ud800', 'is invalid'],
    ['x-user-id', '😀'.repeat(129), 'is invalid'],
    ['x-tenant-id', undefined, 'is required'],
    ['x-tenant-id', '   ', 'is required'],
    ['x-tenant-id', 'acme,acme', 'is invalid'],
    ['x-tenant-id', 'a'.repeat(129), 'is invalid'],
  ])('%s: %j %s, without a call', async (header, value, problem) => {
    const { response, calls } = await refuse(anEvent({ headers: { [header]: value } }));
    expect({ response, calls }).toEqual({ response: anError(400, `${header} ${problem}`), calls: [] });
  });

  test('may have 128 characters of any script', async () => {
    const { statusCode } = await startService(tables).send(
      anEvent({ headers: { 'x-user-id': '😀'.repeat(128) } }),
    );
    expect(statusCode).toBe(200);
  });

  test('are found under any letter case', async () => {
    const headers = {
      'x-user-id': undefined,
      'X-USER-ID': 'grace',
      'x-Api-Key': 'editor-key',
      'x-api-key': undefined,
    };
    expect((await startService(tables).send(anEvent({ headers }))).statusCode).toBe(200);
    expect((await startService(tables).send(aRestEvent({ headers }))).statusCode).toBe(200);
  });

  test.each([
    anEvent({ headers: { 'X-User-Id': 'ada' } }),
    aRestEvent({ headers: { 'X-User-Id': 'ada' } }),
    aRestEvent({ extra: { multiValueHeaders: { 'x-user-id': ['grace', 'grace'] } } }),
    aRestEvent({ extra: { multiValueHeaders: { 'X-User-Id': ['ada'] } } }),
  ])('are refused when a header comes twice', async (event) => {
    expect((await refuse(event)).response).toEqual(anError(400, 'x-user-id is invalid'));
  });
});
