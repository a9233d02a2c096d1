import { DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { anEvent } from '#test/support/event.ts';
import {
  aFile,
  apiKeyRecord,
  aSpace,
  FILE_ID,
  FIRST_VERSION,
  firstWrite,
  NOW,
} from '#test/support/fixtures.ts';
import { lost, type Network } from '#test/support/message-faults.ts';
import { service } from '#test/support/service.ts';
import { demoTables } from '#test/support/simulated-tables.ts';
import { createTestSystem } from '#test/support/system.ts';

/*
 * What a request sends to DynamoDB, and what it makes of replies that no table gives. What other faults lead to is in
 * test/requests/cases/faults.ts, and which may follow each other in test/simulation.
 */
const id = 'request-1-0000-0000-0000';
const keyHash = '5435c4e8c19ef1623c819a90a2b8184da1dbb2dea68aef2984556303003c40ff';

/** A strongly consistent read of these attributes of one record. */
const readOf = (key: object, ...attributes: readonly string[]) => ({
  Keys: [key],
  ConsistentRead: true,
  ProjectionExpression: attributes.map((name) => `#${name}`).join(', '),
  ExpressionAttributeNames: Object.fromEntries(attributes.map((name) => [`#${name}`, name])),
});
const ofKey = ['keyHash', 'keyId', 'tenantId', 'scope', 'roles', 'expiresAt', 'revokedAt'];
const keyRead = readOf({ keyHash }, ...ofKey);
const spaceReadOf = (spaceId: string) =>
  readOf({ tenantId: 'acme', spaceId }, 'tenantId', 'spaceId', 'ownerId', 'visibility');

test('a request makes one consistent read of what decides access, and one conditional write, which keeps the last 8', async () => {
  const { send } = service({ system: createTestSystem({ newId: () => id }) });
  const { calls } = await send();
  expect(calls).toEqual([
    { RequestItems: { apiKeys: keyRead, spaces: spaceReadOf('handbook') } },
    {
      TableName: 'files',
      Key: { spaceId: 'handbook', fileId: FILE_ID },
      UpdateExpression:
        'SET w2 = if_not_exists(w1, :none), w3 = if_not_exists(w2, :none), w4 = if_not_exists(w3, :none), ' +
        'w5 = if_not_exists(w4, :none), w6 = if_not_exists(w5, :none), w7 = if_not_exists(w6, :none), ' +
        'w8 = if_not_exists(w7, :none), w1 = :write, #version = :version, updatedBy = :updatedBy, ' +
        '#field0 = :field0',
      ConditionExpression:
        'attribute_exists(#fileId) AND (attribute_not_exists(#version) OR #version < :version) AND ' +
        'NOT (begins_with(w1, :id) OR begins_with(w2, :id) OR ' +
        'begins_with(w3, :id) OR begins_with(w4, :id) OR ' +
        'begins_with(w5, :id) OR begins_with(w6, :id) OR ' +
        'begins_with(w7, :id) OR begins_with(w8, :id))',
      ExpressionAttributeNames: { '#fileId': 'fileId', '#version': 'version', '#field0': 'summary' },
      ExpressionAttributeValues: {
        ':version': FIRST_VERSION,
        ':none': '',
        ':id': 'request100000000.',
        ':write': `request100000000..${FIRST_VERSION.toString(36)}`,
        ':updatedBy': 'grace',
        ':field0': 'New.',
      },
      ReturnValues: 'ALL_NEW',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  ]);
});

test.each([
  ['', false],
  ['\ud800', false],
  ['s'.repeat(1024), true],
  ['s'.repeat(1025), false],
  ['é'.repeat(513), false],
])('does not request a space id that no table could hold (%#)', async (spaceId, isRead) => {
  const { response, calls } = await service().send(anEvent({ spaceId }));
  expect(response.statusCode).toBe(404);
  expect(calls).toEqual([
    { RequestItems: { apiKeys: keyRead, ...(isRead && { spaces: spaceReadOf(spaceId) }) } },
  ]);
});

const serviceError = (message: string, name = 'ValidationException') =>
  new DynamoDBServiceException({ name, message, $fault: 'client', $metadata: {} });
const written = { ...aFile({ summary: 'New.' }), ...firstWrite() };
const read = (Responses: object) => ({ Responses });
const foreignRead = {
  statusCode: 500,
  reason: 'access read: the response holds a record that was not requested',
};
const foreignFile = { statusCode: 500, reason: 'update: the response holds a file that was not requested' };
const foreignWrite = { statusCode: 500, reason: 'update: the response is of another write' };
const unexpected = { statusCode: 500, reason: 'unexpected error' };
const unfit = {
  statusCode: 500,
  reason: 'API key record does not fit: roles: invalid_type',
  keyId: 'key-editor',
};
const unfitSpace = { statusCode: 500, reason: 'space record does not fit: tenantId: invalid_type' };
test.each<['read' | 'write', string, object, object]>([
  ['read', 'a key that does not fit', read({ apiKeys: [apiKeyRecord({ roles: 7 })] }), unfit],
  ['read', 'a space that does not fit', read({ spaces: [aSpace({ tenantId: 7 })] }), unfitSpace],
  ['read', 'another key', read({ apiKeys: [apiKeyRecord({ key: 'other' })] }), foreignRead],
  ['read', 'a space of another tenant', read({ spaces: [aSpace({ tenantId: 'globex' })] }), foreignRead],
  ['read', 'another space', read({ spaces: [aSpace({ spaceId: 'other' })] }), foreignRead],
  ['write', 'another file', { Attributes: { ...written, fileId: 'other' } }, foreignFile],
  ['write', 'a file of another space', { Attributes: { ...written, spaceId: 'other' } }, foreignFile],
  ['write', 'the file of another write', { Attributes: { ...written, w1: 'other..1' } }, foreignWrite],
  ['write', 'the file of no write', { Attributes: aFile() }, foreignWrite],
  [
    'write',
    'the size of the item',
    serviceError('Item size to update has exceeded the maximum'),
    { statusCode: 413, reason: 'item would exceed 400 KB' },
  ],
  [
    'write',
    'another size',
    serviceError('Size of hashkey has exceeded the maximum size limit of 2048 bytes'),
    unexpected,
  ],
  [
    'write',
    'a size by another name',
    serviceError('Item size limit', 'ItemCollectionSizeLimitExceededException'),
    unexpected,
  ],
  [
    'write',
    'a size, but not of DynamoDB',
    Object.assign(new Error('Item size'), { name: 'ValidationException' }),
    unexpected,
  ],
])('after a %s, a reply about %s is not used, and nothing is sent again', async (kind, _, reply, outcome) => {
  const through: Network = async ({ command, deliver }) => {
    if (command instanceof UpdateCommand !== (kind === 'write')) return deliver();
    if (reply instanceof Error) throw reply;
    return reply;
  };
  const { line, calls } = await service().send(undefined, { through });
  expect(line).toMatchObject(outcome);
  expect(calls).toHaveLength(kind === 'read' ? 1 : 2);
});

test.each(['read', 'write'])('a %s is aborted when the time of its attempt is over', async (kind) => {
  const { send, system } = service();
  const aborted: unknown[] = [];
  const through: Network = async ({ command, deliver, signal }) => {
    if (command instanceof UpdateCommand !== (kind === 'write')) return deliver();
    signal?.addEventListener('abort', () => aborted.push(system.uptime()));
    return lost;
  };
  await send(undefined, { through });
  expect(aborted).toEqual([700, 1400, 2100, 2800, 3500, 4200, 4900]);
});

test('gives a write up after 20 conflicts, with 19 waits between them, which get longer', async () => {
  const { send, tables, system } = service({ system: createTestSystem({ random: () => 1 }) });
  const sentAt: number[] = [];
  const through: Network = async ({ command, deliver }) => {
    if (!(command instanceof UpdateCommand)) return deliver();
    sentAt.push(system.uptime());
    const version = Number(command.input.ExpressionAttributeValues?.[':version']);
    await tables.put('files', aFile({ version, w1: `other..${version.toString(36)}` }));
    return deliver();
  };
  const { line } = await send(undefined, { through });
  const waits = sentAt.map((at, index) => at - (sentAt[index - 1] ?? 0));
  expect(waits).toEqual([0, 1, 2, 4, 8, 16, 32, ...Array(13).fill(50)]);
  const reason = 'other writers were faster each time';
  expect(line).toMatchObject({ statusCode: 503, reason, call: 'update', conflicts: 20, ms: 63 + 13 * 50 });
});

const YEAR_MS = 365 * 24 * 3_600_000;
test('the version of a write follows a clock that was set back, and not the version of another file', async () => {
  let time = NOW + YEAR_MS;
  const tables = demoTables();
  tables.put('files', aFile({ fileId: 'other', version: (NOW + 2 * YEAR_MS) * 1000 }));
  const { send } = service({ tables, system: createTestSystem({ now: () => time }) });
  const versionOf = async (fileId: string) => {
    const { records } = await send(anEvent({ fileId }));
    return records[`files ["handbook","${fileId}"]`]?.['version'];
  };
  const other = await versionOf('other');
  time = NOW;
  // The second and the third request begin one and two milliseconds later.
  tables.put('files', aFile({ fileId: 'third' }));
  expect([other, await versionOf(FILE_ID), await versionOf('third')]).toEqual([
    (NOW + 2 * YEAR_MS) * 1000 + 1,
    (NOW + 1) * 1000,
    (NOW + 2) * 1000,
  ]);
});
