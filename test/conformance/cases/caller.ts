import type { Case, Expected, Group } from '../case.ts';
import { tenantIdInvalid, tenantIdMissing, updatedAsUsual, userIdInvalid, userIdMissing } from './answers.ts';

type Row = readonly [how: string, headers: Readonly<Record<string, string | readonly string[] | null>>];

/** Rows for the header `name`, which is usually sent as `usual`. */
const missing = (name: string): readonly Row[] => [
  ['left out', { [name]: null }],
  ['empty', { [name]: '' }],
  ['nothing but spaces', { [name]: '   ' }],
  ['nothing but a tab', { [name]: '\t' }],
];
const malformed = (name: string, usual: string): readonly Row[] => [
  ['sent twice', { [name]: [usual, usual] }],
  ['sent under two spellings of its name', { [name]: usual, [name.toUpperCase()]: usual }],
  ['a list', { [name]: `${usual},other` }],
  ['broken by a space', { [name]: `${usual} ${usual}` }],
  ['broken by a tab', { [name]: `${usual}\t${usual}` }],
  ['of 129 characters', { [name]: 'u'.repeat(129) }],
  ['far too long', { [name]: 'u'.repeat(4000) }],
  ['holding a soft hyphen', { [name]: 'so\u00adft' }],
  ['holding a zero-width space', { [name]: 'ze\u200bro' }],
];

const toCases = (name: string, rows: readonly Row[], expect: Expected): readonly Case[] =>
  rows.map(([how, headers]) => ({ name: `${name} ${how} is refused`, send: { headers }, expect }));

/** Row 1 of the contract's table: on whose behalf. */
export const caller: Group = {
  title: 'User and tenant',
  cases: [
    ...toCases('x-user-id', missing('x-user-id'), userIdMissing),
    ...toCases('x-user-id', malformed('x-user-id', '{userId}'), userIdInvalid),
    ...toCases('x-tenant-id', missing('x-tenant-id'), tenantIdMissing),
    ...toCases('x-tenant-id', malformed('x-tenant-id', '{tenantId}'), tenantIdInvalid),
    {
      name: 'x-user-id of 128 characters is taken',
      send: { headers: { 'x-user-id': 'u'.repeat(128) } },
      expect: updatedAsUsual,
    },
    {
      name: 'x-user-id of punctuation is taken, for an id is opaque',
      send: { headers: { 'x-user-id': `a|b:c/d@e#'"{}\\` } },
      expect: updatedAsUsual,
    },
    {
      name: 'Header names count in any letter case',
      send: {
        headers: {
          'x-user-id': null,
          'X-User-Id': '{userId}',
          'x-tenant-id': null,
          'X-TENANT-ID': '{tenantId}',
          'x-api-key': null,
          'X-Api-Key': '{apiKeys.editor}',
        },
      },
      expect: updatedAsUsual,
    },
    {
      name: 'White space around an id belongs to the header and not to the id',
      send: { headers: { 'x-user-id': '  {userId}  ', 'x-tenant-id': ' {tenantId} ' } },
      expect: updatedAsUsual,
    },
  ],
};
