import { readConfig } from '../../../lib/config.ts';
import { ApiKeyRecordSchema } from '../../../lib/domain/api-key.ts';
import { parseIfFound } from '../../../lib/domain/record.ts';
import { SpaceRecordSchema } from '../../../lib/domain/space.ts';
import { hashApiKey } from '../../../lib/store/keys.ts';
import type { Store } from '../../../lib/store/store.ts';
import { handlerOn } from '../shared/whole/handler-on.ts';
import { updatesBy } from '../shared/whole/updates-by.ts';
import { client } from './client.ts';
import { write } from './write.ts';

const { apiKeysTable, spacesTable } = readConfig(process.env);

const readAccess: Store['readAccess'] = async ({ apiKey, tenantId, spaceId }) => {
  const { DynamoDB } = await client;
  const { Responses } = await DynamoDB.BatchGetItem({
    RequestItems: {
      [apiKeysTable]: { Keys: [{ keyHash: hashApiKey(apiKey) }], ConsistentRead: true },
      [spacesTable]: { Keys: [{ tenantId, spaceId }], ConsistentRead: true },
    },
  });
  return {
    apiKey: parseIfFound(ApiKeyRecordSchema, 'API key record', Responses?.[apiKeysTable]?.[0]),
    space: parseIfFound(SpaceRecordSchema, 'space record', Responses?.[spacesTable]?.[0]),
  };
};

/** Our function with aws-lite in place of the SDK. */
export const handler = handlerOn({ readAccess, updateFile: updatesBy(write) });
