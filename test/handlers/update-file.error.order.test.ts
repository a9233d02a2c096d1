import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anEvent } from '#test/support/event.ts';
import { anApiKey, FILE_ID } from '#test/support/given.ts';
import { openTables, type Tables } from '#test/support/tables.ts';
import { putGiven } from './support/given-records.ts';
import { refuseUnchanged } from './support/refuse.ts';

let tables: Tables;
beforeAll(async () => {
  tables = await openTables('error-order');
});
beforeEach(() => putGiven(tables));

const refuse = (event: unknown) => refuseUnchanged(tables, event);

describe('a problem later in the order of checks is not told before an earlier one', () => {
  const allWrong = {
    headers: {
      'x-user-id': undefined,
      'x-tenant-id': undefined,
      'x-api-key': 'unknown',
      'content-type': undefined,
      'content-encoding': 'gzip',
      'if-match': 'x',
    },
    spaceId: 'unknown',
    fileId: 'unknown',
    body: undefined,
  };
  const repairs: readonly [string, Record<string, string | undefined>][] = [
    ['x-user-id is required', { 'x-user-id': 'a,b' }],
    ['x-user-id is invalid', { 'x-user-id': 'grace' }],
    ['x-tenant-id is required', { 'x-tenant-id': 'a b' }],
    ['x-tenant-id is invalid', { 'x-tenant-id': 'acme' }],
    ['Invalid API Key', { 'x-api-key': 'viewer-key' }],
    ['API Key does not have permission to access this resource', { 'x-api-key': 'editor-key' }],
    ['Content-Type must be application/json', { 'content-type': 'application/json' }],
    ['Content-Encoding is not supported', { 'content-encoding': undefined }],
    ['Request body is required', { body: '{' }],
    ['Request body is not valid JSON', { body: '{}' }],
    ['At least one of summary, documentKind must be provided', { body: '{"summary":"a"}' }],
    ['Space not found', { spaceId: 'handbook' }],
    ['File not found', { fileId: FILE_ID }],
    ['If-Match is invalid', { 'if-match': '"5"' }],
    ['File was changed by another request', {}],
  ];

  test('each repair brings the next message', async () => {
    await tables.putApiKey(anApiKey({ key: 'viewer-key', roles: ['viewer'] }));
    const told: string[] = [];
    let request: { headers: Record<string, string | undefined>; [part: string]: unknown } = allWrong;
    for (const [, repair] of repairs) {
      told.push(JSON.parse((await refuse(anEvent(request))).body).message);
      const { body, spaceId, fileId, ...headers } = repair;
      const parts = Object.fromEntries(Object.entries({ body, spaceId, fileId }).filter(([, part]) => part));
      request = { ...request, ...parts, headers: { ...request.headers, ...headers } };
    }
    expect(told).toEqual(repairs.map(([message]) => message));
  });
});
