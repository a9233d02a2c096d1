import { admitInTurn } from '../shared/admission.ts';
import { documents } from '../shared/documents/client.ts';
import { plainHandler } from '../shared/plain-handler.ts';
import { ApiKeys, Spaces } from './entities.ts';
import { Files } from './files.ts';
import { updateFile } from './update-file.ts';

for (const entity of [ApiKeys, Spaces, Files]) entity.setClient(documents);

// The records are not of electrodb's making and lack its marks, as in any table that was there before it.
const admit = admitInTurn(
  async (keyHash) =>
    (await ApiKeys.get({ keyHash }).go({ ignoreOwnership: true, consistent: true })).data ?? undefined,
  async (key) => (await Spaces.get(key).go({ ignoreOwnership: true, consistent: true })).data ?? undefined,
);

/** The plain handler on electrodb, three calls in a row. */
export const handler = plainHandler({ admit, updateFile });
