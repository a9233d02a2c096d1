import { BatchGetRequest } from 'dynamodb-toolbox/entity/actions/batchGet';
import { BatchGetCommand, execute } from 'dynamodb-toolbox/table/actions/batchGet';
import { untilAnswered } from '../../../lib/store/attempts.ts';
import { createClient } from '../../../lib/store/client.ts';
import { hashApiKey } from '../../../lib/store/keys.ts';
import type { Store } from '../../../lib/store/store.ts';
import { handlerOn } from '../shared/whole/handler-on.ts';
import { updatesBy } from '../shared/whole/updates-by.ts';
import { ApiKeyEntity, SpaceEntity } from './entities.ts';
import { ApiKeysTable, FilesTable, SpacesTable } from './tables.ts';
import { write } from './write.ts';

const client = createClient();
for (const table of [ApiKeysTable, SpacesTable, FilesTable]) table.documentClient = client;

const consistent = { consistent: true } as const;

/** It checks the records itself, by its own schemas. */
const readAccess: Store['readAccess'] = async ({ apiKey, tenantId, spaceId }, call) => {
  const ofKey = ApiKeyEntity.build(BatchGetRequest).key({ keyHash: hashApiKey(apiKey) });
  const ofSpace = SpaceEntity.build(BatchGetRequest).key({ tenantId, spaceId });
  const read = (abortSignal: AbortSignal) =>
    execute(
      { abortSignal },
      ApiKeysTable.build(BatchGetCommand).requests(ofKey).options(consistent),
      SpacesTable.build(BatchGetCommand).requests(ofSpace).options(consistent),
    );
  const { Responses } = await untilAnswered(read, { call, random: Math.random });
  const [[key], [space]] = Responses;
  return { apiKey: key, space };
};

/** Our function with dynamodb-toolbox for its reads and its write. */
export const handler = handlerOn({ readAccess, updateFile: updatesBy(write) });
