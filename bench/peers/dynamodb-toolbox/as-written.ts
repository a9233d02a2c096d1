import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { admitInTurn } from '../shared/admission.ts';
import { documents } from '../shared/documents/client.ts';
import { plainHandler } from '../shared/plain-handler.ts';
import { ApiKeyEntity, SpaceEntity } from './entities.ts';
import { ApiKeysTable, FilesTable, SpacesTable } from './tables.ts';
import { updateFile } from './update-file.ts';

for (const table of [ApiKeysTable, SpacesTable, FilesTable]) table.documentClient = documents;

const admit = admitInTurn(
  async (keyHash) =>
    (await ApiKeyEntity.build(GetItemCommand).key({ keyHash }).options({ consistent: true }).send()).Item,
  async (key) => (await SpaceEntity.build(GetItemCommand).key(key).options({ consistent: true }).send()).Item,
);

/** The plain handler on dynamodb-toolbox, three calls in a row. */
export const handler = plainHandler({ admit, updateFile });
