import { hash } from 'node:crypto';

/*
 * The access rules, written from docs/contract.md and from nothing else. A combination has one value of each
 * dimension. The oracle decides by these values, so it never looks at a stored record as the code does.
 */

const roleSets = [
  [],
  ['admin'],
  ['editor'],
  ['viewer', 'editor'],
  // Roles without the permission, and names that every JavaScript object inherits.
  ['viewer'],
  ['owner', 'constructor', '__proto__'],
];
/** Every key with a record. */
export const issuedKeys = ['valid', 'revoked', 'expired'].flatMap((state) =>
  ['PRODUCT', 'PRODUCTS', undefined].flatMap((scope) =>
    roleSets.flatMap((roles) =>
      // The second tenant has the keys of one state and one scope.
      (state === 'valid' && scope === 'PRODUCT' ? ['acme', 'globex'] : ['acme']).map((tenantId) => {
        return { state, tenantId, scope, roles, sent: [state, tenantId, scope, ...roles].join(' ') };
      }),
    ),
  ),
);
const noRecord = { tenantId: undefined, scope: undefined, roles: [] };
const keys = [
  { state: 'missing', sent: undefined, ...noRecord },
  { state: 'malformed', sent: 'valid acme PRODUCT admin,valid acme PRODUCT admin', ...noRecord },
  { state: 'unknown', sent: 'valid acme PRODUCT admi', ...noRecord },
  ...issuedKeys,
];
const tenants = [undefined, 'acme,acme', 'acme', 'globex'];
const users = [undefined, 'ada', 'grace'];

/**
 * Two tenants have spaces of the same ids with other rules, and each has one of its own. The ids are such that a joined
 * key or another decoding would confuse them.
 */
export const spaces = [
  { tenantId: 'acme', spaceId: 'a', visibility: 'public', ownerId: 'ada' },
  { tenantId: 'acme', spaceId: 'a#', visibility: 'private', ownerId: 'ada' },
  { tenantId: 'acme', spaceId: 'a#b', visibility: 'PUBLIC', ownerId: 'ada' },
  { tenantId: 'acme', spaceId: '%61', visibility: 'private', ownerId: undefined },
  { tenantId: 'globex', spaceId: 'a', visibility: 'private', ownerId: 'grace' },
  { tenantId: 'globex', spaceId: 'a#', visibility: 'public', ownerId: 'ada' },
  { tenantId: 'globex', spaceId: 'b', visibility: 'public', ownerId: 'ada' },
];
const IMPOSSIBLE_ID = 's'.repeat(1025);
/** Those, one that nobody has, and one that no table can hold. */
export const spaceIds = [...new Set(spaces.map(({ spaceId }) => spaceId)), 'nowhere', IMPOSSIBLE_ID];
/** A file that every space has, and one that only another space has: `a` and `b#c` joined are `a#b` and `c` joined. */
export const fileIds = { common: 'c', other: 'b#c', unknown: 'x' };

const targets = [
  ...Object.values(fileIds).map((fileId) => ({ isPatch: true, fileId })),
  // After a body that is no patch, the file is never looked at.
  { isPatch: false, fileId: fileIds.common },
];

export const combinations = keys.flatMap((key) =>
  tenants.flatMap((tenant) =>
    users.flatMap((user) =>
      spaceIds.flatMap((spaceId) => targets.map((target) => ({ key, tenant, user, spaceId, ...target }))),
    ),
  ),
);
export type Combination = (typeof combinations)[number];

/** The response and the calls that the contract promises, by its order of checks. */
export const expectedOutcome = ({ key, tenant, user, spaceId, isPatch, fileId }: Combination) => {
  const keyId = { keyHash: hash('sha256', key.sent ?? '') };
  const read = ['read', keyId, ...(spaceId === IMPOSSIBLE_ID ? [] : [{ tenantId: tenant, spaceId }])];
  const early = (status: number, message: string) => ({ status, message, calls: [] });
  const afterRead = (status: number, message: string) => ({ status, message, calls: [read] });
  const forbidden = afterRead(403, 'API Key does not have permission to access this resource');
  const calls = [read, ['update', { spaceId, fileId }]];

  if (user === undefined) return early(400, 'x-user-id is required');
  if (tenant === undefined) return early(400, 'x-tenant-id is required');
  if (tenant === 'acme,acme')
    return early(400, 'x-tenant-id must be 1 to 128 characters of printable ASCII without a space or comma');
  if (key.state === 'missing' || key.state === 'malformed') return early(401, 'Invalid API Key');
  if (key.state === 'unknown') return afterRead(401, 'Invalid API Key');
  // A key record without a scope is not a key record.
  if (key.scope === undefined) return afterRead(500, 'Internal Server Error');
  if (key.state !== 'valid') return afterRead(401, 'Invalid API Key');
  if (key.tenantId !== tenant || key.scope !== 'PRODUCT') return forbidden;
  if (!key.roles.some((role) => role === 'admin' || role === 'editor')) return forbidden;
  if (!isPatch) return afterRead(400, 'Field "id" is not editable');
  const space = spaces.find((known) => known.tenantId === tenant && known.spaceId === spaceId);
  if (space === undefined) return afterRead(404, 'Space not found');
  if (space.visibility !== 'public' && space.ownerId !== user) return forbidden;
  if (fileId !== fileIds.common) return { status: 404, message: 'File not found', calls };
  return { status: 200, message: undefined, calls };
};
