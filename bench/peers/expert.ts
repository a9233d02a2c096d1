import { createHandler, createPrime } from './shared/operation.ts';
import { calls } from './shared/sdk.ts';

/** The base of every ratio: the official packages, used as well as they can be without changing them. */
export const handler = createHandler(calls);
export const prime = createPrime(calls);
