import type { FileRecord } from '../shared/records.ts';
import type { Store } from '../shared/store.ts';
import { tables } from '../shared/tables.ts';
import { updateExpression } from '../shared/update-expression.ts';
import { client } from './client.ts';
import { isConditionFailed } from './is-condition-failed.ts';

/** The write by aws-lite. */
export const updateFile: Store['updateFile'] = async ({ spaceId, fileId, patch }) => {
  const { DynamoDB } = await client;
  try {
    const { Attributes } = await DynamoDB.UpdateItem({
      TableName: tables.files,
      Key: { spaceId, fileId },
      ...updateExpression(patch),
      ReturnValues: 'ALL_NEW',
    });
    return Attributes as FileRecord | undefined;
  } catch (error) {
    if (isConditionFailed(error)) return undefined;
    throw error;
  }
};
