import { aCase, accepted, type Case, cases, headerCases, rejected } from './case.ts';
import { fixture, swapCase } from './fixture.ts';

const { tenantId, userId, otherTenantId, apiKeys, spaces } = fixture;

/** All printable ASCII characters but the comma. */
const printable = String.fromCharCode(...Array.from({ length: 94 }, (_, at) => at + 0x21)).replace(',', '');

const idCases = (name: 'user-id' | 'tenant-id', usual: string): readonly Case[] => {
  const header = `x-${name}`;
  const invalid = rejected(`${name}-invalid`);
  return [
    ...headerCases(header)(rejected(`${name}-missing`), {
      [`${header} missing is rejected`]: null,
      [`${header} empty is rejected`]: '',
      [`${header} of spaces is rejected`]: '   ',
      [`${header} of a tab is rejected`]: '\t',
    }),
    ...headerCases(header)(invalid, {
      [`${header} sent twice is rejected`]: [usual, usual],
      [`${header} with a comma is rejected`]: `${usual},other`,
      [`${header} with a space is rejected`]: `${usual} ${usual}`,
      [`${header} with a tab is rejected`]: `${usual}\t${usual}`,
      [`${header} of 129 characters is rejected`]: 'u'.repeat(129),
      [`${header} of 4000 characters is rejected`]: 'u'.repeat(4000),
      [`${header} with a soft hyphen is rejected`]: 'so\u00adft',
      [`${header} with a zero-width space is rejected`]: 'ze\u200bro',
      [`${header} with a letter that is not ASCII is rejected`]: 'Zoë',
      [`${header} with an emoji is rejected`]: 'zoe👋',
    }),
    ...cases(invalid, {
      [`${header} under two spellings is rejected`]: {
        headers: { [header]: usual, [header.toUpperCase()]: usual },
      },
    }),
  ];
};

const otherSpellings = {
  'X-User-Id': userId,
  'X-TENANT-ID': tenantId,
  'X-Api-Key': apiKeys.editor,
};
const usualSpellings = { 'x-user-id': null, 'x-tenant-id': null, 'x-api-key': null };
const inOtherTenant = { headers: { 'x-tenant-id': otherTenantId }, space: spaces.otherTenant };
const inOtherHeader = { headers: { 'x-api-key': null, authorization: apiKeys.editor } };

const key = {
  missing: rejected('api-key-invalid', 'key is missing'),
  malformed: rejected('api-key-invalid', 'key is malformed'),
  unknown: rejected('api-key-invalid', 'key is unknown'),
  revoked: rejected('api-key-invalid', 'key is revoked'),
  expired: rejected('api-key-invalid', 'key is expired'),
};
const ofOtherTenant = rejected('permission-denied', 'key belongs to another tenant');

export const caller: readonly Case[] = [
  ...idCases('user-id', userId),
  ...idCases('tenant-id', tenantId),
  ...headerCases('x-user-id')(accepted, {
    'x-user-id of 128 characters is accepted': 'u'.repeat(128),
    'x-user-id of all printable characters is accepted': printable,
  }),
  ...cases(accepted, {
    'Header names are case-insensitive': { headers: { ...usualSpellings, ...otherSpellings } },
  }),
  // HTTP removes it.
  ...cases(
    accepted,
    {
      'White space around an id is not part of it': {
        headers: { 'x-user-id': `  ${userId}  `, 'x-tenant-id': ` ${tenantId} ` },
      },
    },
    { only: 'url' },
  ),
  ...headerCases('x-api-key')(key.missing, {
    'A missing API key is rejected': null,
    'An empty API key is rejected': '',
  }),
  ...headerCases('x-api-key')(key.revoked, { 'A revoked API key is rejected': apiKeys.revoked }),
  ...headerCases('x-api-key')(key.expired, { 'An expired API key is rejected': apiKeys.expired }),
  ...headerCases('x-api-key')(key.unknown, {
    'An unknown API key is rejected': 'no-such-key-anywhere',
    'A valid API key in other letter case is rejected': swapCase(apiKeys.editor),
    'A valid API key with another character is rejected': `${apiKeys.editor}x`,
    'A valid API key after the word Bearer is rejected': `Bearer ${apiKeys.editor}`,
    'An unknown API key of 512 characters is rejected': 'k'.repeat(512),
  }),
  ...headerCases('x-api-key')(key.malformed, {
    'A valid API key sent twice is rejected': [apiKeys.editor, apiKeys.editor],
    'A valid API key in a list is rejected': `${apiKeys.editor},no-such-key`,
    'An API key of 513 characters is rejected': 'k'.repeat(513),
    'An API key that is not ASCII is rejected': 'clé-d’accès',
    'An API key with a tab is rejected': 'no\tsuch',
  }),
  ...cases(key.missing, { 'A valid API key in another header is rejected': inOtherHeader }),
  aCase('Unknown, revoked and expired API keys get the same response', [
    [{ headers: { 'x-api-key': 'no-such-key' } }, key.unknown],
    [{ headers: { 'x-api-key': apiKeys.revoked } }, key.revoked],
    [{ headers: { 'x-api-key': apiKeys.expired } }, key.expired],
  ]),
  ...headerCases('x-api-key')(rejected('permission-denied', 'no role of the key grants files:update'), {
    'A key without a role that may update is denied': apiKeys.viewer,
  }),
  ...headerCases('x-api-key')(rejected('permission-denied', 'scope of the key is not PRODUCT'), {
    'A key of another scope is denied': apiKeys.otherScope,
  }),
  ...headerCases('x-api-key')(ofOtherTenant, { 'A key of another tenant is denied': apiKeys.otherTenant }),
  ...headerCases('x-tenant-id')(ofOtherTenant, {
    'An unknown tenant is denied': 'no-such-tenant',
    'The tenant in other letter case is denied': swapCase(tenantId),
    'A tenant of all printable characters is denied': printable,
    'A tenant that begins like the own is denied': `${tenantId}-x`,
  }),
  ...cases(ofOtherTenant, { 'Another tenant is denied': inOtherTenant }),
  ...headerCases('x-api-key')(accepted, { 'The role admin may update': apiKeys.admin }),
];
