import { operations } from '#test/support/openapi.ts';
import { aCase, accepted, byApi, byGateway, type Case, cases, noRoute, rejected, type Sent } from './case.ts';
import { fixture, percentEncode, swapCase } from './fixture.ts';

const { userId, ownerId, apiKeys, spaces, files } = fixture;

const longId = 'x'.repeat(2100);
const ofOtherTenant: Sent = { space: spaces.otherTenant, file: files.otherTenant.id };
const byAnother: Sent = { headers: { 'x-user-id': userId } };
const byAnotherAdmin: Sent = { headers: { 'x-user-id': userId, 'x-api-key': apiKeys.admin } };
const byOthers: Readonly<Record<string, Sent>> = {
  'Another user of the tenant may not update in a private space': byAnother,
  'The role admin does not open a private space to another user': byAnotherAdmin,
  'The owner is case-sensitive': { headers: { 'x-user-id': swapCase(ownerId) } },
  'A private space does not show whether it has a file': { ...byAnother, file: 'no-such-file' },
};
const inOtherSpace = { 'A file of another space is not found': { space: spaces.public } };
const byAnyUser: Sent = { headers: { 'x-user-id': 'somebody-else-of-the-tenant' } };
const encoded: Sent = { space: percentEncode(spaces.public), file: percentEncode(files.detailed.id) };
const usual = `/v1/spaces/${spaces.public}/files/${files.detailed.id}`;
const override = 'x-http-method-override';
const unusedMethods = ['GET', 'POST', 'PUT', 'DELETE'].filter(
  (method) => !operations.includes(`${method} /v1/spaces/{spaceId}/files/{fileId}`),
);

export const target: readonly Case[] = [
  ...cases(rejected('space-not-found'), {
    'An unknown space is not found': { space: 'no-such-space' },
    'A space of another tenant is not found': ofOtherTenant,
    'A space id that DynamoDB cannot store is not found': { space: longId },
    'A space id of 1025 bytes is not found': { space: 'x'.repeat(1025) },
    'A space id is case-sensitive': { space: swapCase(spaces.public) },
    'A space id is not trimmed': { space: `${spaces.public}%20` },
  }),
  aCase('Unknown spaces and spaces of another tenant get the same response', [
    [{ ...ofOtherTenant, space: 'no-such-space' }, rejected('space-not-found')],
    [ofOtherTenant, rejected('space-not-found')],
    [{ space: longId }, rejected('space-not-found')],
  ]),
  ...cases(accepted, {
    'A percent-encoded id is the id': encoded,
    'Every user of the tenant may update in a public space': byAnyUser,
  }),
  ...cases(accepted, { 'The owner may update in a private space': {} }, { file: 'private' }),
  ...cases(rejected('permission-denied', 'space is private and the caller is not its owner'), byOthers, {
    file: 'private',
  }),
  ...cases(rejected('file-not-found'), {
    'An unknown file is not found': { file: 'no-such-file' },
    'A file of another tenant is not found': { file: files.otherTenant.id },
    'A file id is case-sensitive': { file: swapCase(files.detailed.id) },
    'A file id is not trimmed': { file: `${files.detailed.id}%20` },
    'A file id of 1024 bytes is not found': { file: 'x'.repeat(1024) },
  }),
  ...cases(rejected('file-not-found', 'file id is one that no table could hold'), {
    'A file id that DynamoDB cannot store is not found': { file: longId },
    'A file id of 1025 bytes is not found': { file: 'x'.repeat(1025) },
  }),
  ...cases(rejected('file-not-found'), inOtherSpace, { file: 'private' }),
  aCase('An update does not create a file', [
    [{ file: 'not-there-either' }, rejected('file-not-found')],
    [{ file: 'not-there-either' }, rejected('file-not-found')],
  ]),
  ...cases(
    accepted,
    {
      'Query parameters are ignored': { query: '?summary=Other&tenantId=other&x-user-id=other&a=1&a=2' },
      'An empty query is ignored': { query: '?' },
    },
    { only: 'url' },
  ),
  ...cases(accepted, {
    'Unknown headers are ignored': {
      headers: { 'x-summary': 'Other', prefer: 'return=minimal', cookie: 'a=1; b=2' },
    },
    'Accept headers are ignored': {
      headers: { accept: 'text/html', 'accept-encoding': 'identity', 'accept-language': 'tlh' },
    },
    'A method in x-http-method is ignored': { headers: { 'x-http-method': 'DELETE' } },
    'Ids in headers are ignored': {
      headers: { 'x-space-id': 'other', 'x-file-id': 'other', 'x-original-url': '/', 'x-rewrite-url': '/' },
    },
    'What a client says of itself is ignored': {
      headers: { 'user-agent': 'other', 'x-request-id': 'other', 'x-forwarded-for': '192.0.2.1' },
    },
    'If-None-Match and If-Unmodified-Since are ignored': {
      headers: { 'if-none-match': '*', 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' },
    },
  }),
  // Only PATCH, and only at its path, changes a file. The gateway chooses the response to all else.
  ...cases(
    byGateway,
    Object.fromEntries(unusedMethods.map((method) => [`${method} changes nothing`, { method }])),
    { only: 'url' },
  ),
  ...cases(
    byGateway,
    {
      'A path without the version changes nothing': { path: usual.replace('/v1', '') },
      'A path of another version changes nothing': { path: usual.replace('/v1', '/v2') },
      'The path of the space changes nothing': { path: `/v1/spaces/${spaces.public}` },
      'The path of all files changes nothing': { path: `/v1/spaces/${spaces.public}/files` },
      'A longer path changes nothing': { path: `${usual}/tags` },
      'A path in other letter case changes nothing': {
        path: usual.replace('/spaces/', '/Spaces/').replace('/files/', '/Files/'),
      },
      'A path without a space changes nothing': { path: `/v1/spaces//files/${files.detailed.id}` },
      'Malformed percent encoding changes nothing': { path: `/v1/spaces/%zz/files/${files.detailed.id}` },
    },
    { only: 'url' },
  ),
  // A REST API can take the method of this header in place of the one that was sent.
  ...cases(
    byApi(accepted, noRoute.restApi),
    {
      'A PATCH that a header calls DELETE is a PATCH, or has no route': { headers: { [override]: 'DELETE' } },
    },
    { only: 'url' },
  ),
  ...cases(
    byApi(byGateway, accepted),
    {
      'A POST that a header calls PATCH has no route, or is a PATCH': {
        method: 'POST',
        headers: { [override]: 'PATCH' },
      },
    },
    { only: 'url' },
  ),
];
