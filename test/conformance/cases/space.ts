import type { Group } from '../case.ts';
import { spaceNotFound, updatedAsUsual } from './answers.ts';

const longId = 'x'.repeat(2100);

/** Row 5 of the contract's table, first: the space is there. */
export const space: Group = {
  title: 'Space',
  cases: [
    { name: 'A space that never was is not found', send: { space: 'no-such-space' }, expect: spaceNotFound },
    {
      name: 'A space of another tenant is not found',
      send: { space: '{spaces.otherTenant}', file: '{files.otherTenant.id}' },
      expect: spaceNotFound,
    },
    {
      name: 'A space of another tenant and one that never was cannot be told apart',
      steps: [
        { send: { space: 'no-such-space', file: '{files.otherTenant.id}' }, expect: spaceNotFound },
        {
          send: { space: '{spaces.otherTenant}', file: '{files.otherTenant.id}' },
          expect: { ...spaceNotFound, sameBytes: true },
        },
        { send: { space: longId }, expect: { ...spaceNotFound, sameBytes: true } },
      ],
    },
    {
      name: 'A space id that no table could hold is not found',
      send: { space: longId },
      expect: spaceNotFound,
    },
    {
      name: 'A space id is compared exactly, letter case included',
      send: { space: '{spaces.public|swapped}' },
      expect: spaceNotFound,
    },
    { name: 'A space id is not trimmed', send: { space: '{spaces.public}%20' }, expect: spaceNotFound },
    {
      name: 'A space id is not decoded twice',
      send: { space: '{spaces.public|twice}' },
      expect: spaceNotFound,
    },
    {
      name: 'A percent-encoded id is the id',
      send: { space: '{spaces.public|percent}', file: '{files.detailed.id|percent}' },
      expect: updatedAsUsual,
    },
    {
      name: 'Every user of the tenant may update in a public space',
      send: { headers: { 'x-user-id': 'somebody-else-of-the-tenant' } },
      expect: updatedAsUsual,
    },
  ],
};
