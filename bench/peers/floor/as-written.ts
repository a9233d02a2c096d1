import { admitInTurn } from '../shared/admission.ts';
import { plainHandler } from '../shared/plain-handler.ts';
import type { ApiKeyRecord, FileRecord, SpaceRecord } from '../shared/records.ts';
import type { Store } from '../shared/store.ts';
import { tables } from '../shared/tables.ts';
import { updateExpression } from '../shared/update-expression.ts';
import { fromItem, type Item, toItem } from './attributes.ts';
import { call } from './call.ts';

const recordOf = <Shape>(item: Item | undefined): Shape | undefined => item && (fromItem(item) as Shape);

const admit = admitInTurn(
  async (keyHash) => {
    const { Item } = await call('GetItem', {
      TableName: tables.apiKeys,
      Key: toItem({ keyHash }),
      ConsistentRead: true,
    });
    return recordOf<ApiKeyRecord>(Item);
  },
  async (key) => {
    const { Item } = await call('GetItem', {
      TableName: tables.spaces,
      Key: toItem(key),
      ConsistentRead: true,
    });
    return recordOf<SpaceRecord>(Item);
  },
);

const updateFile: Store['updateFile'] = async ({ spaceId, fileId, patch }) => {
  const { ExpressionAttributeValues: values, ...expression } = updateExpression(patch);
  const { Attributes, __type } = await call('UpdateItem', {
    TableName: tables.files,
    Key: toItem({ spaceId, fileId }),
    ...expression,
    ...(values && { ExpressionAttributeValues: toItem(values) }),
    ReturnValues: 'ALL_NEW',
  });
  if (!Attributes && !__type?.endsWith('ConditionalCheckFailedException')) throw new Error(__type);
  return recordOf<FileRecord>(Attributes);
};

/** A bound, not a peer: three calls in a row by hand, without the SDK, retries, timeouts or any checking of replies. */
export const handler = plainHandler({ admit, updateFile });
