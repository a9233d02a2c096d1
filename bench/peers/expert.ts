import { createHandler } from './shared/handler.ts';
import { createPrime } from './shared/operation.ts';
import { calls } from './shared/sdk.ts';

/** The base of every ratio: the official packages, with public options only. bench/README.md says which ones. */
export const handler = createHandler(calls);
export const prime = createPrime(calls);
