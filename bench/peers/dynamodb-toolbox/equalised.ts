import { BatchGetRequest } from 'dynamodb-toolbox/entity/actions/batchGet';
import { BatchGetCommand, execute } from 'dynamodb-toolbox/table/actions/batchGet';
import { admitAtOnce } from '../shared/admission.ts';
import { plainHandler } from '../shared/plain-handler.ts';
import { ApiKeyEntity, SpaceEntity } from './entities.ts';
import { ApiKeysTable, SpacesTable } from './tables.ts';
import { updateFile } from './update-file.ts';

const admit = admitAtOnce(async (keyHash, key) => {
  const { Responses } = await execute(
    ApiKeysTable.build(BatchGetCommand)
      .requests(ApiKeyEntity.build(BatchGetRequest).key({ keyHash }))
      .options({ consistent: true }),
    SpacesTable.build(BatchGetCommand)
      .requests(SpaceEntity.build(BatchGetRequest).key(key))
      .options({ consistent: true }),
  );
  const [[apiKey], [space]] = Responses;
  return { apiKey, space };
});

/** The plain handler on dynamodb-toolbox, our two calls. */
export const handler = plainHandler({ admit, updateFile });
