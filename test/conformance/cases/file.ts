import type { Group } from '../case.ts';
import { fileNotFound } from './answers.ts';

/** Row 6 of the contract's table, first: the file. */
export const file: Group = {
  title: 'File',
  cases: [
    { name: 'A file that never was is not found', send: { file: 'no-such-file' }, expect: fileNotFound },
    {
      name: 'A file of another space is not found',
      file: 'private',
      send: { space: '{spaces.public}' },
      expect: fileNotFound,
    },
    {
      name: 'A file of another tenant is not found in a space of our own',
      send: { file: '{files.otherTenant.id}' },
      expect: fileNotFound,
    },
    {
      name: 'A file id that no table could hold is not found',
      send: { file: 'x'.repeat(2100) },
      expect: fileNotFound,
    },
    {
      name: 'A file id is compared exactly, letter case included',
      send: { file: '{files.detailed.id|swapped}' },
      expect: fileNotFound,
    },
    { name: 'A file id is not trimmed', send: { file: '{files.detailed.id}%20' }, expect: fileNotFound },
    {
      name: 'An update creates no file',
      steps: [
        { send: { file: 'not-there-either' }, expect: fileNotFound },
        { send: { file: 'not-there-either' }, expect: fileNotFound },
      ],
    },
  ],
};
