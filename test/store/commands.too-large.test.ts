import { DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { aCall } from '#test/support/call.ts';
import { unconditional } from './support/given-update.ts';
import { mockStore } from './support/mocked-store.ts';

const { table, store } = mockStore();
beforeEach(() => table.reset());

describe('the update', () => {
  const write = (call = aCall()) => store.updateFile(unconditional, call);

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
});
