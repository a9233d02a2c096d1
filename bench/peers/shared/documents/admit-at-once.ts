import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import { admitAtOnce } from '../admission.ts';
import type { ApiKeyRecord, SpaceRecord } from '../records.ts';
import { tables } from '../tables.ts';
import { documents } from './client.ts';

/** One read of both records by the documents client. */
export const admit = admitAtOnce(async (keyHash, key) => {
  const { Responses } = await documents.send(
    new BatchGetCommand({
      RequestItems: {
        [tables.apiKeys]: { Keys: [{ keyHash }], ConsistentRead: true },
        [tables.spaces]: { Keys: [key], ConsistentRead: true },
      },
    }),
  );
  return {
    apiKey: Responses?.[tables.apiKeys]?.[0] as ApiKeyRecord | undefined,
    space: Responses?.[tables.spaces]?.[0] as SpaceRecord | undefined,
  };
});
