import { sha256 } from './service.ts';

/*
 * The access rules, written from docs/contract.md and from nothing else. A cell is one value of each dimension. The
 * oracle decides by the labels of the values, so it never looks at a record as the code does.
 */

const roleSets = [
  [],
  ['admin'],
  ['editor'],
  ['viewer'],
  ['viewer', 'editor'],
  // Unknown roles, and names that every JavaScript object inherits.
  ['owner', 'constructor', '__proto__'],
] as const;
const states = ['valid', 'revoked', 'expired'] as const;
const scopes = ['PRODUCT', 'PRODUCTS', 'missing'] as const;

/** Every key with a record. */
export const issuedKeys = states.flatMap((state) =>
  scopes.flatMap((scope) =>
    roleSets.map((roles) => ({ state, scope, roles, sent: `${state} ${scope} ${roles.join(' ')}` })),
  ),
);
const keys = [
  { state: 'missing', sent: undefined },
  { state: 'malformed', sent: 'valid PRODUCT admin,valid PRODUCT admin' },
  { state: 'unknown', sent: 'valid PRODUCT admi' },
  ...issuedKeys,
] as const;
const tenants = [
  { is: 'missing', sent: undefined },
  { is: 'malformed', sent: 'acme,acme' },
  { is: 'of the key', sent: 'acme' },
  { is: 'of others', sent: 'globex' },
  { is: 'invented', sent: 'initech' },
] as const;
const users = [
  { is: 'missing', sent: undefined },
  { is: 'owner', sent: 'ada' },
  { is: 'other', sent: 'grace' },
] as const;
/** Spaces of the tenant `acme`, one that only `globex` has, one that nobody has, one that no table can hold. */
export const spaces = [
  { is: 'known', tenantId: 'acme', spaceId: 'open', visibility: 'public', ownerId: 'ada' },
  { is: 'known', tenantId: 'acme', spaceId: 'closed', visibility: 'private', ownerId: 'ada' },
  { is: 'known', tenantId: 'acme', spaceId: 'odd', visibility: 'PUBLIC', ownerId: 'ada' },
  { is: 'known', tenantId: 'acme', spaceId: 'no-owner', visibility: 'private', ownerId: undefined },
  { is: 'of others', tenantId: 'globex', spaceId: 'foreign', visibility: 'public', ownerId: 'ada' },
  { is: 'unknown', spaceId: 'nowhere' },
  { is: 'impossible', spaceId: 's'.repeat(1025) },
] as const;
/** An id that every space has, one that only another space has, one that none has. */
const files = [
  { is: 'known', fileId: 'twin' },
  { is: 'bad body', fileId: 'twin' },
  { is: 'elsewhere', fileId: 'lone' },
  { is: 'unknown', fileId: 'nothing' },
] as const;

export type Cell = {
  readonly key: (typeof keys)[number];
  readonly tenant: (typeof tenants)[number];
  readonly user: (typeof users)[number];
  readonly space: (typeof spaces)[number];
  readonly file: (typeof files)[number];
};
export const cells: readonly Cell[] = keys.flatMap((key) =>
  tenants.flatMap((tenant) =>
    users.flatMap((user) =>
      spaces.flatMap((space) => files.map((file) => ({ key, tenant, user, space, file }))),
    ),
  ),
);

const isPermitted = ({ key, tenant }: Cell) =>
  'scope' in key &&
  key.scope === 'PRODUCT' &&
  key.roles.some((role) => role === 'admin' || role === 'editor') &&
  tenant.is === 'of the key';

const isOpenTo = ({ space, user }: Cell) =>
  'visibility' in space &&
  (space.visibility === 'public' || (space.ownerId !== undefined && user.is === 'owner'));

/** The response and the calls that the contract promises, by its order of checks. */
export const expectedOutcome = (cell: Cell) => {
  const { key, tenant, user, space, file } = cell;
  const keyRead = `read apiKeys["${sha256(key.sent ?? '')}"]`;
  const read = space.is === 'impossible' ? keyRead : `${keyRead} spaces["${tenant.sent}","${space.spaceId}"]`;
  const update = `update files["${space.spaceId}","${file.fileId}"]`;
  const early = (status: number, message: string) => ({ status, message, calls: [] });
  const afterRead = (status: number, message: string) => ({ status, message, calls: [read] });
  const forbidden = afterRead(403, 'API Key does not have permission to access this resource');

  if (user.is === 'missing') return early(400, 'x-user-id is required');
  if (tenant.is === 'missing') return early(400, 'x-tenant-id is required');
  if (tenant.is === 'malformed') return early(400, 'x-tenant-id is invalid');
  if (key.state === 'missing' || key.state === 'malformed') return early(401, 'Invalid API Key');
  // A key record without a scope is not a key record.
  if ('scope' in key && key.scope === 'missing') return afterRead(500, 'Internal Server Error');
  if (key.state !== 'valid') return afterRead(401, 'Invalid API Key');
  if (!isPermitted(cell)) return forbidden;
  if (file.is === 'bad body') return afterRead(400, 'Field "language" is not editable');
  if (space.is !== 'known') return afterRead(404, 'Space not found');
  if (!isOpenTo(cell)) return forbidden;
  if (file.is !== 'known') return { status: 404, message: 'File not found', calls: [read, update] };
  return { status: 200, message: undefined, calls: [read, update] };
};
