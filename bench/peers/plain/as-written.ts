import { admit } from '../shared/documents/admit-in-turn.ts';
import { updateFile } from '../shared/documents/update-file.ts';
import { plainHandler } from '../shared/plain-handler.ts';

/** The anchor of every ratio: one async function on the SDK's documents client, validating by hand. */
export const handler = plainHandler({ admit, updateFile });
