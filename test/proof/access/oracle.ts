import type { Cell, Key, Role } from './cells.ts';

/** What the contract promises for a cell. `calls`: how far the tables are asked. */
export type Verdict = {
  readonly status: number;
  readonly message?: string;
  readonly calls: 'none' | 'read' | 'read and write';
};

const granting: readonly Role[] = ['admin', 'editor'];

const isRefusedKey = (key: Key) => key.state !== 'good';
const isBroken = (key: Key) => 'scope' in key && key.scope === 'missing';

const isPermitted = ({ key, tenant }: Cell) =>
  'scope' in key &&
  tenant.is === 'of the key' &&
  key.scope === 'PRODUCT' &&
  key.roles.some((role) => granting.includes(role));

const isOpenTo = ({ space, user }: Cell) =>
  space.is === 'known' &&
  (space.visibility === 'public' || (space.owner !== undefined && user.is === 'owner'));

/**
 * The access rules, from docs/contract.md alone: "Answers", rows 1 to 3, 5 and 6, in their order. A key record
 * without a scope is not one that the contract knows: anything else, 500.
 */
export const verdictOf = (cell: Cell): Verdict => {
  const { key, tenant, user, space, file } = cell;
  const refused = (status: number, message: string, calls: Verdict['calls'] = 'read') => ({
    status,
    message,
    calls,
  });
  const noPermission = refused(403, 'API Key does not have permission to access this resource');

  if (user.is === 'missing') return refused(400, 'x-user-id is required', 'none');
  if (user.is === 'malformed') return refused(400, 'x-user-id is invalid', 'none');
  if (tenant.is === 'missing' || tenant.is === 'blank')
    return refused(400, 'x-tenant-id is required', 'none');
  if (tenant.is === 'malformed') return refused(400, 'x-tenant-id is invalid', 'none');
  if (key.state === 'missing' || key.state === 'malformed') return refused(401, 'Invalid API Key', 'none');
  if (isBroken(key)) return refused(500, 'Internal Server Error');
  if (isRefusedKey(key)) return refused(401, 'Invalid API Key');
  if (!isPermitted(cell)) return noPermission;
  if (space.is !== 'known') return refused(404, 'Space not found');
  if (!isOpenTo(cell)) return noPermission;
  if (file.is !== 'known') return refused(404, 'File not found', 'read and write');
  return { status: 200, calls: 'read and write' };
};
