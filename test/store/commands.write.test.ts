import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { aCall } from '#test/support/call.ts';
import { FILE_ID, FIRST_VERSION } from '#test/support/given.ts';
import { Attributes, unconditional, updated } from './support/given-update.ts';
import { mockStore } from './support/mocked-store.ts';

const { table, aStore, store, inputs } = mockStore();
beforeEach(() => table.reset());

describe('the update', () => {
  const write = (call = aCall()) => store.updateFile(unconditional, call);

  test('is one conditional UpdateItem', async () => {
    table.on(UpdateCommand).resolves({ Attributes });
    expect(await aStore().updateFile(unconditional, aCall())).toEqual(updated);
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
});
