import { store } from './shared/documents.ts';
import { plainHandler } from './shared/operation.ts';

/** The base of every ratio: one async function on the SDK's document client, with validation by hand. */
export const handler = plainHandler(store);
