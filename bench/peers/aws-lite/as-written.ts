import { admitInTurn } from '../shared/admission.ts';
import { plainHandler } from '../shared/plain-handler.ts';
import type { ApiKeyRecord, SpaceRecord } from '../shared/records.ts';
import { tables } from '../shared/tables.ts';
import { client } from './client.ts';
import { updateFile } from './update-file.ts';

const admit = admitInTurn(
  async (keyHash) => {
    const { DynamoDB } = await client;
    const { Item } = await DynamoDB.GetItem({
      TableName: tables.apiKeys,
      Key: { keyHash },
      ConsistentRead: true,
    });
    return Item as ApiKeyRecord | undefined;
  },
  async (key) => {
    const { DynamoDB } = await client;
    const { Item } = await DynamoDB.GetItem({ TableName: tables.spaces, Key: key, ConsistentRead: true });
    return Item as SpaceRecord | undefined;
  },
);

/** The plain handler on aws-lite, three calls in a row. */
export const handler = plainHandler({ admit, updateFile });
