// Its batch read is of one entity and so of one table: this read is the documents client's.
import { admit } from '../shared/documents/admit-at-once.ts';
import { plainHandler } from '../shared/plain-handler.ts';
import { updateFile } from './update-file.ts';

/** The plain handler on electrodb, our two calls. */
export const handler = plainHandler({ admit, updateFile });
