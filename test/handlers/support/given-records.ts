import { aFile, anApiKey, aSpace } from '#test/support/given.ts';
import type { Tables } from '#test/support/tables.ts';

/** Puts the records that `anEvent()` asks for, as they were given. */
export const putGiven = async ({ putApiKey, putSpace, putFile }: Tables): Promise<void> => {
  await putApiKey(anApiKey());
  await putSpace(aSpace());
  await putFile(aFile());
};
