import { type Case, cases, expected, headerCases, many } from '#test/requests/contract/case.ts';
import { fixture, swapCase } from '#test/requests/contract/fixture.ts';

const { tenantId, userId, otherTenantId, apiKeys, spaces } = fixture;

const idCases = (header: string, usual: string): readonly Case[] => [
  ...headerCases(header)(expected.invalid(`${header} is required`), {
    [`${header} missing is rejected`]: null,
    [`${header} empty is rejected`]: '',
    [`${header} of spaces is rejected`]: '   ',
    [`${header} of a tab is rejected`]: '\t',
  }),
  ...headerCases(header)(expected.invalid(`${header} is invalid`), {
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
  ...cases(expected.invalid(`${header} is invalid`), {
    [`${header} under two spellings is rejected`]: {
      headers: { [header]: usual, [header.toUpperCase()]: usual },
    },
  }),
];

const otherSpellings = {
  'X-User-Id': userId,
  'X-TENANT-ID': tenantId,
  'X-Api-Key': apiKeys.editor,
};
const usualSpellings = { 'x-user-id': null, 'x-tenant-id': null, 'x-api-key': null };
const inOtherTenant = { headers: { 'x-tenant-id': otherTenantId }, space: spaces.otherTenant };
const inOtherHeader = { headers: { 'x-api-key': null, authorization: apiKeys.editor } };

export const caller: readonly Case[] = [
  ...idCases('x-user-id', userId),
  ...idCases('x-tenant-id', tenantId),
  ...headerCases('x-user-id')(expected.accepted, {
    'x-user-id of 128 characters is accepted': 'u'.repeat(128),
    'x-user-id of punctuation is accepted': `a|b:c/d@e#'"{}\\`,
  }),
  ...cases(expected.accepted, {
    'Header names are case-insensitive': { headers: { ...usualSpellings, ...otherSpellings } },
    'White space around an id is not part of it': {
      headers: { 'x-user-id': `  ${userId}  `, 'x-tenant-id': ` ${tenantId} ` },
    },
  }),
  ...headerCases('x-api-key')(expected.unknownKey, {
    'A missing API key is rejected': null,
    'An empty API key is rejected': '',
    'An unknown API key is rejected': 'no-such-key-anywhere',
    'A revoked API key is rejected': apiKeys.revoked,
    'An expired API key is rejected': apiKeys.expired,
    'A valid API key in other letter case is rejected': swapCase(apiKeys.editor),
    'A valid API key with another character is rejected': `${apiKeys.editor}x`,
    'A valid API key after the word Bearer is rejected': `Bearer ${apiKeys.editor}`,
    'A valid API key sent twice is rejected': [apiKeys.editor, apiKeys.editor],
    'A valid API key in a list is rejected': `${apiKeys.editor},no-such-key`,
    'An API key of 513 characters is rejected': 'k'.repeat(513),
    'An unknown API key of 512 characters is rejected': 'k'.repeat(512),
    'An API key that is not ASCII is rejected': 'clé-d’accès',
    'An API key with a tab is rejected': 'no\tsuch',
  }),
  ...cases(expected.unknownKey, { 'A valid API key in another header is rejected': inOtherHeader }),
  many('Unknown, revoked and expired API keys get the same response', [
    [{ headers: { 'x-api-key': 'no-such-key' } }, expected.unknownKey],
    [{ headers: { 'x-api-key': apiKeys.revoked } }, expected.unknownKey],
    [{ headers: { 'x-api-key': apiKeys.expired } }, expected.unknownKey],
  ]),
  ...headerCases('x-api-key')(expected.denied, {
    'A key without a role that may update is denied': apiKeys.viewer,
    'A key of another scope is denied': apiKeys.otherScope,
    'A key of another tenant is denied': apiKeys.otherTenant,
  }),
  ...headerCases('x-tenant-id')(expected.denied, {
    'An unknown tenant is denied': 'no-such-tenant',
    'The tenant in other letter case is denied': swapCase(tenantId),
    'A tenant that begins like the own is denied': `${tenantId}-x`,
  }),
  ...cases(expected.denied, { 'Another tenant is denied': inOtherTenant }),
  ...headerCases('x-api-key')(expected.accepted, { 'The role admin may update': apiKeys.admin }),
];
