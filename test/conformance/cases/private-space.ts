import type { Group } from '../case.ts';
import { notPermitted, updatedAsUsual } from './answers.ts';

/** Row 5 of the contract's table, second: a private space is its owner's. */
export const privateSpace: Group = {
  title: 'Private space',
  cases: [
    {
      name: 'The owner may update in a private space',
      file: 'private',
      send: {},
      expect: updatedAsUsual,
    },
    {
      name: 'Another user of the tenant may not update in a private space',
      file: 'private',
      send: { headers: { 'x-user-id': '{userId}' } },
      expect: notPermitted,
    },
    {
      name: 'The role admin does not open a private space to another user',
      file: 'private',
      send: { headers: { 'x-user-id': '{userId}', 'x-api-key': '{apiKeys.admin}' } },
      expect: notPermitted,
    },
    {
      name: 'The owner is compared exactly, letter case included',
      file: 'private',
      send: { headers: { 'x-user-id': '{ownerId|swapped}' } },
      expect: notPermitted,
    },
    {
      name: 'A private space does not tell whether it has the file',
      file: 'private',
      send: { file: 'no-such-file', headers: { 'x-user-id': '{userId}' } },
      expect: notPermitted,
    },
  ],
};
