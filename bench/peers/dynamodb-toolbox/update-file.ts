import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { $remove, UpdateItemCommand } from 'dynamodb-toolbox/entity/actions/update';
import type { Store } from '../shared/store.ts';
import { FileEntity } from './entities.ts';

/** The write by dynamodb-toolbox. */
export const updateFile: Store['updateFile'] = async ({ spaceId, fileId, patch }) => {
  const { summary, documentKind } = patch;
  try {
    const { Attributes } = await FileEntity.build(UpdateItemCommand)
      .item({
        spaceId,
        fileId,
        ...(summary !== undefined && { summary: summary ?? $remove() }),
        ...(documentKind !== undefined && { documentKind: documentKind ?? $remove() }),
      })
      .options({ condition: { attr: 'fileId', exists: true }, returnValues: 'ALL_NEW' })
      .send();
    return Attributes;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
};
