import { accepted, denied, each, fileNotFound, type Group, one, type Sent, spaceNotFound } from '../case.ts';

const longId = 'x'.repeat(2100);
const otherTenant = { space: '{spaces.otherTenant}', file: '{files.otherTenant.id}' };

export const space: Group = {
  title: 'Space',
  cases: [
    one('An unknown space is not found', { space: 'no-such-space' }, spaceNotFound),
    one('A space of another tenant is not found', otherTenant, spaceNotFound),
    {
      name: 'Unknown spaces and spaces of another tenant get the same response',
      steps: [
        [{ space: 'no-such-space', file: '{files.otherTenant.id}' }, spaceNotFound],
        [otherTenant, { ...spaceNotFound, sameBytes: true }],
        [{ space: longId }, { ...spaceNotFound, sameBytes: true }],
      ],
    },
    one('A space id that DynamoDB cannot store is not found', { space: longId }, spaceNotFound),
    one('A space id is case-sensitive', { space: '{spaces.public|swapped}' }, spaceNotFound),
    one('A space id is not trimmed', { space: '{spaces.public}%20' }, spaceNotFound),
    one('A space id is not decoded twice', { space: '{spaces.public|twice}' }, spaceNotFound),
    one(
      'A percent-encoded id is the id',
      { space: '{spaces.public|percent}', file: '{files.detailed.id|percent}' },
      accepted,
    ),
    one(
      'Every user of the tenant may update in a public space',
      { headers: { 'x-user-id': 'somebody-else-of-the-tenant' } },
      accepted,
    ),
  ],
};

const byAnother: Sent = { headers: { 'x-user-id': '{userId}' } };

export const privateSpace: Group = {
  title: 'Private space',
  cases: [
    one('The owner may update in a private space', {}, accepted, 'private'),
    one('Another user of the tenant may not update in a private space', byAnother, denied, 'private'),
    one(
      'The role admin does not open a private space to another user',
      { headers: { 'x-user-id': '{userId}', 'x-api-key': '{apiKeys.admin}' } },
      denied,
      'private',
    ),
    one('The owner is case-sensitive', { headers: { 'x-user-id': '{ownerId|swapped}' } }, denied, 'private'),
    one(
      'A private space does not show whether it has a file',
      { ...byAnother, file: 'no-such-file' },
      denied,
      'private',
    ),
  ],
};

export const file: Group = {
  title: 'File',
  cases: [
    one('An unknown file is not found', { file: 'no-such-file' }, fileNotFound),
    one('A file of another space is not found', { space: '{spaces.public}' }, fileNotFound, 'private'),
    one('A file of another tenant is not found', { file: '{files.otherTenant.id}' }, fileNotFound),
    one('A file id that DynamoDB cannot store is not found', { file: longId }, fileNotFound),
    one('A file id is case-sensitive', { file: '{files.detailed.id|swapped}' }, fileNotFound),
    one('A file id is not trimmed', { file: '{files.detailed.id}%20' }, fileNotFound),
    {
      name: 'An update does not create a file',
      steps: [
        [{ file: 'not-there-either' }, fileNotFound],
        [{ file: 'not-there-either' }, fileNotFound],
      ],
    },
  ],
};

const ignoredHeaders: readonly (readonly [string, NonNullable<Sent['headers']>])[] = [
  [
    'Unknown headers',
    { 'x-summary': 'Other', 'idempotency-key': '1', prefer: 'return=minimal', cookie: 'a=1; b=2' },
  ],
  ['Accept headers', { accept: 'text/html', 'accept-encoding': 'identity', 'accept-language': 'tlh' }],
  ['Methods in headers', { 'x-http-method-override': 'DELETE', 'x-http-method': 'GET' }],
  [
    'Ids in headers',
    { 'x-space-id': 'other', 'x-file-id': 'other', 'x-original-url': '/', 'x-rewrite-url': '/' },
  ],
];

export const ignored: Group = {
  title: 'Ignored parts',
  cases: [
    one(
      'Query parameters are ignored',
      { query: '?summary=Other&tenantId=other&x-user-id=other&a=1&a=2' },
      accepted,
    ),
    one('An empty query is ignored', { query: '?' }, accepted),
    ...each(
      ignoredHeaders,
      (name) => `${name} are ignored`,
      (headers) => ({ headers }),
      accepted,
    ),
  ],
};

const usual = '/v1/spaces/{spaces.public}/files/{files.detailed.id}';
const otherPaths: readonly (readonly [string, string])[] = [
  ['A path without the version', '/spaces/{spaces.public}/files/{files.detailed.id}'],
  ['A path of another version', '/v2/spaces/{spaces.public}/files/{files.detailed.id}'],
  ['The path of the space', '/v1/spaces/{spaces.public}'],
  ['The path of all files', '/v1/spaces/{spaces.public}/files'],
  ['A longer path', `${usual}/tags`],
  ['A path in other letter case', '/v1/Spaces/{spaces.public}/Files/{files.detailed.id}'],
  ['A path without a space', '/v1/spaces//files/{files.detailed.id}'],
  ['A path with malformed percent encoding', '/v1/spaces/%zz/files/{files.detailed.id}'],
];
const byGateway = { status: '4xx', gateway: true } as const;

/** Only PATCH, and only at its path, changes a file. The gateway chooses the response to all else. */
export const gateway: Group = {
  title: 'Other methods and paths',
  cases: [
    ...['GET', 'POST', 'PUT', 'DELETE'].map((method) =>
      one(`${method} changes nothing`, { method }, byGateway),
    ),
    one(
      'POST with a method override changes nothing',
      { method: 'POST', headers: { 'x-http-method-override': 'PATCH' } },
      byGateway,
    ),
    ...each(
      otherPaths,
      (name) => `${name} changes nothing`,
      (path) => ({ path }),
      byGateway,
    ),
  ],
};
