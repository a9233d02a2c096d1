import type { Group } from '../case.ts';
import { encoding, json, mediaType, size } from './body.ts';
import { apiKey, caller, permission } from './caller.ts';
import { fieldLengths, fieldNames, fieldValues } from './fields.ts';
import { order } from './order.ts';
import { file, gateway, ignored, privateSpace, space } from './target.ts';
import { ifMatch, keptAsSent, repetition, threeStates } from './update.ts';

/** All cases, in the order of the table of docs/contract.md. */
export const groups: readonly Group[] = [
  ...[caller, apiKey, permission, mediaType, encoding, size, json, fieldNames, fieldValues, fieldLengths],
  ...[space, privateSpace, file, ifMatch, threeStates, keptAsSent, repetition, ignored, order, gateway],
];
