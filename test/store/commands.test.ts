import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  DynamoDBServiceException,
} from '@aws-sdk/client-dynamodb';
import { BatchGetCommand, DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, test } from 'vitest';
import { createStore } from '#lib/store/store.ts';
import { aCall } from '#test/support/call.ts';
import { aFile, aFileView, FILE_ID, FIRST_VERSION, NOW } from '#test/support/given.ts';

const keyHash = 'f2651e970e356ac5e72ae559a3a4ef3b181b7858285d4776904d8c36f10b69b9';
const client = DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'local-1' }));
const table = mockClient(client);
beforeEach(() => table.reset());

const config = { apiKeysTable: 'Keys', spacesTable: 'Spaces', filesTable: 'Files' };
const store = createStore({ client, config, now: () => NOW, random: () => 0 });
const inputs = () => table.calls().map(({ args }) => args[0].input);

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

describe('the update', () => {
  const update = { spaceId: 'handbook', fileId: FILE_ID, patch: { summary: 'New.' }, updatedBy: 'grace' };
  const write = (call = aCall()) => store.updateFile({ ...update, precondition: { kind: 'none' } }, call);
  const stamp = { version: FIRST_VERSION, requestId: 'request-1', updatedBy: 'grace' };
  const Attributes = { ...aFile(), summary: 'New.', ...stamp };
  const updated = { file: aFileView({ summary: 'New.' }), version: FIRST_VERSION };

  test('is one conditional UpdateItem', async () => {
    table.on(UpdateCommand).resolves({ Attributes });
    const fresh = createStore({ client, config, now: () => NOW, random: () => 0 });
    expect(await fresh.updateFile({ ...update, precondition: { kind: 'none' } }, aCall())).toEqual(updated);
    expect(inputs()).toEqual([
      {
        TableName: 'Files',
        Key: { spaceId: 'handbook', fileId: FILE_ID },
        UpdateExpression:
          'SET #version = :version, #requestId = :requestId, #updatedBy = :updatedBy, #summary = :summary',
        ConditionExpression:
          'attribute_exists(#fileId) AND (attribute_not_exists(#version) OR #version < :version)',
        ExpressionAttributeNames: {
          '#fileId': 'fileId',
          '#version': 'version',
          '#requestId': 'requestId',
          '#updatedBy': 'updatedBy',
          '#summary': 'summary',
        },
        ExpressionAttributeValues: {
          ':version': FIRST_VERSION,
          ':requestId': 'request-1',
          ':updatedBy': 'grace',
          ':summary': 'New.',
        },
        ReturnValues: 'ALL_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      },
    ]);
  });

  test('is not believed without the item, and sent again as it was', async () => {
    table.on(UpdateCommand).resolvesOnce({}).resolves({ Attributes });
    expect(await write()).toEqual(updated);
    expect(inputs()[1]).toEqual(inputs()[0]);
  });

  test.each([
    [{ fileId: 'other' }, 'update: the reply holds a file that was not asked for'],
    [{ spaceId: 'other' }, 'update: the reply holds a file that was not asked for'],
    [{ requestId: 'other' }, 'update: the reply is of another write'],
    [{ requestId: undefined }, 'update: the reply is of another write'],
  ])('is not believed with an item of another write: %j', async (other, message) => {
    const item = Object.entries({ ...Attributes, ...other }).filter(([, value]) => value !== undefined);
    table.on(UpdateCommand).resolves({ Attributes: Object.fromEntries(item) });
    await expect(write()).rejects.toThrow(message);
  });

  const error = (name: string, status = 400, extra = {}) =>
    Object.assign(new Error(name), { name, $metadata: { httpStatusCode: status }, ...extra });

  test.each([
    error('ProvisionedThroughputExceededException'),
    error('ThrottlingException'),
    error('RequestLimitExceeded'),
    error('TransactionConflictException'),
    error('ReplicatedWriteConflictException'),
    error('InternalServerError', 500),
    error('ServiceUnavailable', 503),
    error('NotImplemented', 501),
    error('getaddrinfo', 0, { code: 'EAI_AGAIN' }),
    error('connect', 0, { code: 'ECONNREFUSED' }),
    new SyntaxError('Unexpected end of JSON input'),
  ])('is sent again after $name', async (fault) => {
    table.on(UpdateCommand).rejectsOnce(fault).resolves({ Attributes });
    const call = aCall();
    expect(await write(call)).toEqual(updated);
    expect(call.tally.retries).toBe(1);
  });

  test.each([
    error('AccessDeniedException'),
    error('ExpiredTokenException'),
    error('UnrecognizedClientException'),
    error('ResourceNotFoundException'),
    error('ValidationException'),
    error('CredentialsProviderError', 0),
  ])('is not sent again after $name', async (fault) => {
    table.on(UpdateCommand).rejects(fault);
    const call = aCall();
    await expect(write(call)).rejects.toBe(fault);
    expect({ calls: inputs().length, tally: call.tally }).toEqual({
      calls: 1,
      tally: { retries: 0, unknown: 0, refusals: 0 },
    });
  });

  test('is too large when DynamoDB says so in its own words, and only then', async () => {
    const says = (name: string) =>
      new DynamoDBServiceException({
        name,
        message: 'Item size to update has exceeded the maximum allowed size',
        $fault: 'client',
        $metadata: {},
      });
    table.on(UpdateCommand).rejects(says('ValidationException'));
    await expect(write()).rejects.toMatchObject({
      code: 'file-too-large',
      message: 'item would pass 400 KB',
    });
    const others = [
      says('ItemCollectionSizeLimitExceededException'),
      Object.assign(new Error('Item size'), { name: 'ValidationException' }),
    ];
    for (const other of others) {
      table.on(UpdateCommand).rejects(other);
      await expect(write()).rejects.toBe(other);
    }
  });

  test('a throttled attempt was certainly not applied', async () => {
    const refused = new ConditionalCheckFailedException({
      message: 'The conditional request failed',
      $metadata: {},
      Item: { spaceId: { S: 'handbook' }, fileId: { S: FILE_ID }, version: { N: '5' } },
    });
    table.on(UpdateCommand).rejectsOnce(error('ThrottlingException')).rejects(refused);
    const ifMatch = { ...update, precondition: { kind: 'versions', versions: [4] } } as const;
    await expect(store.updateFile(ifMatch, aCall())).rejects.toMatchObject({
      code: 'file-changed',
      message: 'If-Match does not match',
    });
  });

  test('is given up when the deadline passes while backing off', async () => {
    const slow = createStore({ client, config, now: () => NOW, random: () => 0.999 });
    table.on(UpdateCommand).rejects(error('ThrottlingException'));
    const write = slow.updateFile({ ...update, precondition: { kind: 'none' } }, aCall('r', 120));
    await expect(write).rejects.toMatchObject({ code: 'unavailable' });
  });

  test('is not begun when the deadline has passed', async () => {
    await expect(write(aCall('r', 0))).rejects.toMatchObject({ code: 'unavailable' });
    expect(inputs()).toEqual([]);
  });
});
