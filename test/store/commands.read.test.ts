import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { aCall } from '#test/support/call.ts';
import { mockStore } from './support/mocked-store.ts';

const { table, store, inputs } = mockStore();
beforeEach(() => table.reset());

const keyHash = 'f2651e970e356ac5e72ae559a3a4ef3b181b7858285d4776904d8c36f10b69b9';

const keyRead = {
  Keys: [{ keyHash }],
  ConsistentRead: true,
  ProjectionExpression: '#keyHash, #keyId, #tenantId, #scope, #roles, #expiresAt, #revokedAt',
  ExpressionAttributeNames: {
    '#keyHash': 'keyHash',
    '#keyId': 'keyId',
    '#tenantId': 'tenantId',
    '#scope': 'scope',
    '#roles': 'roles',
    '#expiresAt': 'expiresAt',
    '#revokedAt': 'revokedAt',
  },
};
const spaceRead = {
  Keys: [{ tenantId: 'acme', spaceId: 'handbook' }],
  ConsistentRead: true,
  ProjectionExpression: '#tenantId, #spaceId, #ownerId, #visibility',
  ExpressionAttributeNames: {
    '#tenantId': 'tenantId',
    '#spaceId': 'spaceId',
    '#ownerId': 'ownerId',
    '#visibility': 'visibility',
  },
};
const key = { keyHash, keyId: 'key-1', tenantId: 'acme', scope: 'PRODUCT', roles: ['editor'] };
const space = { tenantId: 'acme', spaceId: 'handbook', ownerId: 'ada', visibility: 'public' };

describe('the access read', () => {
  const read = (spaceId = 'handbook', call = aCall()) =>
    store.readAccess({ apiKey: 'editor-key', tenantId: 'acme', spaceId }, call);

  test('is one BatchGetItem, strongly consistent, of the attributes that decide', async () => {
    table.on(BatchGetCommand).resolves({ Responses: { Keys: [key], Spaces: [space] } });
    expect(await read()).toEqual({ apiKey: key, space });
    expect(inputs()).toEqual([{ RequestItems: { Keys: keyRead, Spaces: spaceRead } }]);
  });

  test('finds nothing where there is nothing', async () => {
    table.on(BatchGetCommand).resolves({ Responses: { Keys: [], Spaces: [] } });
    expect(await read()).toEqual({ apiKey: undefined, space: undefined });
  });

  test('asks for the key alone when no table could hold the space id', async () => {
    table.on(BatchGetCommand).resolves({ Responses: { Keys: [key] } });
    expect(await read('')).toEqual({ apiKey: key, space: undefined });
    expect(inputs()).toEqual([{ RequestItems: { Keys: keyRead } }]);
  });

  test('asks again for unprocessed keys, and for them alone', async () => {
    table
      .on(BatchGetCommand)
      .resolvesOnce({ Responses: { Keys: [key] }, UnprocessedKeys: { Spaces: spaceRead } })
      .resolvesOnce({ Responses: { Keys: [] }, UnprocessedKeys: { Spaces: spaceRead } })
      .resolves({ Responses: { Spaces: [space] } });
    const call = aCall();
    expect(await read('handbook', call)).toEqual({ apiKey: key, space });
    expect(inputs()).toEqual([
      { RequestItems: { Keys: keyRead, Spaces: spaceRead } },
      { RequestItems: { Spaces: spaceRead } },
      { RequestItems: { Spaces: spaceRead } },
    ]);
    expect(call.tally.retries).toBe(2);
  });

  test('takes a reply without Responses for no reply', async () => {
    table
      .on(BatchGetCommand)
      .resolvesOnce({})
      .resolves({ Responses: { Keys: [key], Spaces: [space] } });
    expect(await read()).toEqual({ apiKey: key, space });
  });

  test.each([
    [{}, 'BatchGetItem without Responses'],
    [{ Responses: {}, UnprocessedKeys: { Spaces: spaceRead } }, 'BatchGetItem with UnprocessedKeys'],
  ])('tells what it died of: %j', async (given, message) => {
    table.on(BatchGetCommand).resolves(given);
    const read = () =>
      store.readAccess({ apiKey: 'k', tenantId: 'acme', spaceId: 'handbook' }, aCall('r', 20));
    await expect(read()).rejects.toMatchObject({ code: 'unavailable', details: { cause: { message } } });
  });

  test.each([
    { Keys: [{ ...key, keyHash: 'other' }] },
    { Spaces: [{ ...space, tenantId: 'globex' }] },
    { Spaces: [{ ...space, spaceId: 'other' }] },
  ])('trusts no record that was not asked for: %j', async (Responses) => {
    table.on(BatchGetCommand).resolves({ Responses });
    await expect(read()).rejects.toThrow('access read: the reply holds a record that was not asked for');
  });
});
