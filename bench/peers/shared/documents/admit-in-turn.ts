import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { admitInTurn } from '../admission.ts';
import type { ApiKeyRecord, SpaceRecord } from '../records.ts';
import { tables } from '../tables.ts';
import { documents } from './client.ts';

/** Two reads by the documents client, one after the other. */
export const admit = admitInTurn(
  async (keyHash) => {
    const { Item } = await documents.send(
      new GetCommand({ TableName: tables.apiKeys, Key: { keyHash }, ConsistentRead: true }),
    );
    return Item as ApiKeyRecord | undefined;
  },
  async (key) => {
    const { Item } = await documents.send(
      new GetCommand({ TableName: tables.spaces, Key: key, ConsistentRead: true }),
    );
    return Item as SpaceRecord | undefined;
  },
);
