import {
  accepted,
  type Case,
  denied,
  type Expected,
  type Group,
  invalid,
  keyInvalid,
  one,
  type Sent,
} from '../case.ts';

type Headers = NonNullable<Sent['headers']>;

const idCases = (header: string, usual: string): readonly Case[] => {
  const rows = (expect: Expected, values: readonly (readonly [how: string, headers: Headers])[]) =>
    values.map(([how, headers]) => one(`${header} ${how} is rejected`, { headers }, expect));
  return [
    ...rows(invalid(`${header} is required`), [
      ['missing', { [header]: null }],
      ['empty', { [header]: '' }],
      ['of spaces', { [header]: '   ' }],
      ['of a tab', { [header]: '\t' }],
    ]),
    ...rows(invalid(`${header} is invalid`), [
      ['sent twice', { [header]: [usual, usual] }],
      ['sent under two spellings of its name', { [header]: usual, [header.toUpperCase()]: usual }],
      ['with a comma', { [header]: `${usual},other` }],
      ['with a space', { [header]: `${usual} ${usual}` }],
      ['with a tab', { [header]: `${usual}\t${usual}` }],
      ['of 129 characters', { [header]: 'u'.repeat(129) }],
      ['of 4000 characters', { [header]: 'u'.repeat(4000) }],
      ['with a soft hyphen', { [header]: 'so\u00adft' }],
      ['with a zero-width space', { [header]: 'ze\u200bro' }],
    ]),
  ];
};

export const caller: Group = {
  title: 'User and tenant',
  cases: [
    ...idCases('x-user-id', '{userId}'),
    ...idCases('x-tenant-id', '{tenantId}'),
    one('x-user-id of 128 characters is accepted', { headers: { 'x-user-id': 'u'.repeat(128) } }, accepted),
    one('x-user-id of punctuation is accepted', { headers: { 'x-user-id': `a|b:c/d@e#'"{}\\` } }, accepted),
    one(
      'Header names are case-insensitive',
      {
        headers: {
          ...{ 'x-user-id': null, 'X-User-Id': '{userId}' },
          ...{ 'x-tenant-id': null, 'X-TENANT-ID': '{tenantId}' },
          ...{ 'x-api-key': null, 'X-Api-Key': '{apiKeys.editor}' },
        },
      },
      accepted,
    ),
    one(
      'White space around an id is not part of it',
      { headers: { 'x-user-id': '  {userId}  ', 'x-tenant-id': ' {tenantId} ' } },
      accepted,
    ),
  ],
};

const keys: readonly (readonly [what: string, key: string | readonly string[] | null])[] = [
  ['A missing API key', null],
  ['An empty API key', ''],
  ['An unknown API key', 'no-such-key-anywhere'],
  ['A revoked API key', '{apiKeys.revoked}'],
  ['An expired API key', '{apiKeys.expired}'],
  ['A valid API key in other letter case', '{apiKeys.editor|swapped}'],
  ['A valid API key with another character', '{apiKeys.editor}x'],
  ['A valid API key after the word Bearer', 'Bearer {apiKeys.editor}'],
  ['A valid API key sent twice', ['{apiKeys.editor}', '{apiKeys.editor}']],
  ['A valid API key in a list', '{apiKeys.editor},no-such-key'],
  ['An API key of 513 characters', 'k'.repeat(513)],
  ['An unknown API key of 512 characters', 'k'.repeat(512)],
  ['An API key that is not ASCII', 'clé-d’accès'],
  ['An API key with a tab', 'no\tsuch'],
];

export const apiKey: Group = {
  title: 'API key',
  cases: [
    ...keys.map(([what, key]) => one(`${what} is rejected`, { headers: { 'x-api-key': key } }, keyInvalid)),
    one(
      'A valid API key in another header is rejected',
      { headers: { 'x-api-key': null, authorization: '{apiKeys.editor}' } },
      keyInvalid,
    ),
    {
      name: 'Unknown, revoked and expired API keys get the same response',
      steps: [
        [{ headers: { 'x-api-key': 'no-such-key' } }, keyInvalid],
        [{ headers: { 'x-api-key': '{apiKeys.revoked}' } }, { ...keyInvalid, sameBytes: true }],
        [{ headers: { 'x-api-key': '{apiKeys.expired}' } }, { ...keyInvalid, sameBytes: true }],
      ],
    },
  ],
};

const withoutPermission: readonly (readonly [what: string, send: Sent])[] = [
  ['A key without a role that may update', { headers: { 'x-api-key': '{apiKeys.viewer}' } }],
  ['A key of another scope', { headers: { 'x-api-key': '{apiKeys.otherScope}' } }],
  ['A key of another tenant', { headers: { 'x-api-key': '{apiKeys.otherTenant}' } }],
  ['Another tenant', { headers: { 'x-tenant-id': '{otherTenantId}' }, space: '{spaces.otherTenant}' }],
  ['An unknown tenant', { headers: { 'x-tenant-id': 'no-such-tenant' } }],
  ['The tenant in other letter case', { headers: { 'x-tenant-id': '{tenantId|swapped}' } }],
  ['A tenant that begins like the own', { headers: { 'x-tenant-id': '{tenantId}-x' } }],
];

export const permission: Group = {
  title: 'Permission',
  cases: [
    ...withoutPermission.map(([what, send]) => one(`${what} is denied`, send, denied)),
    one('The role admin may update', { headers: { 'x-api-key': '{apiKeys.admin}' } }, accepted),
  ],
};
