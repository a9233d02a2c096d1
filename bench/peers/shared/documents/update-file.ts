import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { FileRecord } from '../records.ts';
import type { Store } from '../store.ts';
import { tables } from '../tables.ts';
import { updateExpression } from '../update-expression.ts';
import { documents } from './client.ts';

/** The write by the documents client. */
export const updateFile: Store['updateFile'] = async ({ spaceId, fileId, patch }) => {
  try {
    const { Attributes } = await documents.send(
      new UpdateCommand({
        TableName: tables.files,
        Key: { spaceId, fileId },
        ...updateExpression(patch),
        ReturnValues: 'ALL_NEW',
      }),
    );
    return Attributes as FileRecord | undefined;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
};
