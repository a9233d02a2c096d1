import type { Group } from '../case.ts';
import { apiKey } from './api-key.ts';
import { caller } from './caller.ts';
import { encoding } from './encoding.ts';
import { fieldLengths } from './field-lengths.ts';
import { fieldNames } from './field-names.ts';
import { fieldValues } from './field-values.ts';
import { file } from './file.ts';
import { gateway } from './gateway.ts';
import { ifMatch } from './if-match.ts';
import { ignored } from './ignored.ts';
import { json } from './json.ts';
import { mediaType } from './media-type.ts';
import { permission } from './permission.ts';
import { precedence } from './precedence.ts';
import { privateSpace } from './private-space.ts';
import { repetition } from './repetition.ts';
import { size } from './size.ts';
import { space } from './space.ts';
import { keptAsSent } from './texts.ts';
import { threeStates } from './three-states.ts';

/** Every case, in the order of the contract's table of answers; what a success means comes after it. */
export const allGroups: readonly Group[] = [
  caller,
  apiKey,
  permission,
  mediaType,
  encoding,
  size,
  json,
  fieldNames,
  fieldValues,
  fieldLengths,
  space,
  privateSpace,
  file,
  ifMatch,
  threeStates,
  keptAsSent,
  repetition,
  ignored,
  precedence,
  gateway,
];
