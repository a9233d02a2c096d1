import { admitAtOnce } from '../shared/admission.ts';
import { plainHandler } from '../shared/plain-handler.ts';
import type { ApiKeyRecord, SpaceRecord } from '../shared/records.ts';
import { tables } from '../shared/tables.ts';
import { client } from './client.ts';
import { updateFile } from './update-file.ts';

const admit = admitAtOnce(async (keyHash, key) => {
  const { DynamoDB } = await client;
  const { Responses } = await DynamoDB.BatchGetItem({
    RequestItems: {
      [tables.apiKeys]: { Keys: [{ keyHash }], ConsistentRead: true },
      [tables.spaces]: { Keys: [key], ConsistentRead: true },
    },
  });
  return {
    apiKey: Responses?.[tables.apiKeys]?.[0] as ApiKeyRecord | undefined,
    space: Responses?.[tables.spaces]?.[0] as SpaceRecord | undefined,
  };
});

/** The plain handler on aws-lite, our two calls. */
export const handler = plainHandler({ admit, updateFile });
