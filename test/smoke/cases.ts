import type { Case, Group } from '../conformance/case.ts';
import { allGroups } from '../conformance/cases/all.ts';
import { file } from './target.ts';

/** Of the contract, what a gateway could spoil, and one refusal of each check. */
const names = new Set([
  'x-user-id left out is refused',
  'x-user-id sent twice is refused',
  'x-user-id sent under two spellings of its name is refused',
  'x-tenant-id sent twice is refused',
  'Header names count in any letter case',
  'An unknown API key is refused',
  'A valid API key sent twice is refused',
  'A key cannot be used in the name of a tenant that never was',
  'No media type is no media type for a patch',
  'A body compressed with gzip is refused',
  'A body of 131072 bytes is taken',
  'A body whose length was not announced counts the same',
  'A request without a body is refused',
  'A space that never was is not found',
  'A space id is compared exactly, letter case included',
  'A percent-encoded id is the id',
  'A file id is not trimmed',
  'A list sent as two headers is one list',
  'The etag of a refusal opens the way',
  'A summary keeps an emoji of several characters',
  'Query parameters are ignored',
]);

/** The cases of the contract, about the one file there is. */
export const groups: readonly Group[] = allGroups
  .map(({ title, cases }) => ({
    title,
    cases: cases.filter(({ name }) => names.has(name)).map((given): Case => ({ ...given, file })),
  }))
  .filter(({ cases }) => cases.length > 0);
