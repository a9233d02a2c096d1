import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anEvent } from '#test/support/event.ts';
import { aSpace, FILE_ID } from '#test/support/given.ts';
import { anError, startService } from '#test/support/service.ts';
import { openTables, type Tables } from '#test/support/tables.ts';
import { putGiven } from './support/given-records.ts';
import { refuseTapped } from './support/refuse.ts';

let tables: Tables;
beforeAll(async () => {
  tables = await openTables('security-space');
});
beforeEach(() => putGiven(tables));

const noPermission = anError(403, 'API Key does not have permission to access this resource');
const spaceNotFound = anError(404, 'Space not found');
const refuse = (event: unknown) => refuseTapped(tables, event);
const readOnce = [BatchGetCommand.name];

describe('the space', () => {
  test.each([
    ['is unknown', 'unknown'],
    ['is of another tenant', 'globex-plans'],
    ['has an id of 1025 bytes', 's'.repeat(1025)],
    ['has an empty id', ''],
    ['has an id that is no Unicode', '\ud800'],
    ['is named by a path', '../handbook'],
    ['is named with its tenant', 'acme#handbook'],
    ['is the file', FILE_ID],
  ])('%s: the same 404 after the same call', async (_, spaceId) => {
    await tables.putSpace(aSpace({ tenantId: 'globex', spaceId: 'globex-plans' }));
    const { response, calls } = await refuse(anEvent({ spaceId }));
    expect({ response, calls }).toEqual({ response: spaceNotFound, calls: readOnce });
  });

  test.each([
    [{ visibility: 'private', ownerId: 'grace' }, 200],
    [{ visibility: 'private', ownerId: 'ada' }, 403],
    [{ visibility: 'private', ownerId: 'Grace' }, 403],
    [{ visibility: 'private', ownerId: '' }, 403],
    [{ visibility: 'private', ownerId: null }, 403],
    [{ visibility: 'private', ownerId: ['grace'] }, 403],
    [{ visibility: 'public', ownerId: 'ada' }, 200],
    [{ visibility: 'public', ownerId: null }, 200],
    [{ visibility: 'PUBLIC', ownerId: 'ada' }, 403],
    [{ visibility: 'public ', ownerId: 'ada' }, 403],
    [{ visibility: null, ownerId: 'ada' }, 403],
    [{ visibility: true, ownerId: 'ada' }, 403],
    [{ visibility: 'secret', ownerId: 'grace' }, 200],
  ])('%j: %i', async (space, status) => {
    await tables.putSpace(aSpace(space));
    const response = await startService(tables).send(anEvent());
    expect(response.statusCode).toBe(status);
    if (status === 403) expect(response).toEqual(noPermission);
  });

  test('made private counts from the very next request on', async () => {
    const service = startService(tables);
    expect((await service.send(anEvent())).statusCode).toBe(200);
    await tables.putSpace(aSpace({ visibility: 'private' }));
    expect((await service.send(anEvent())).statusCode).toBe(403);
  });
});
