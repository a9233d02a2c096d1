/*
 * Every value that each dimension of access takes. A cell is one of each; what a value means is told by its label, so
 * that the oracle never has to look at a record.
 */

const roleNames = ['admin', 'editor', 'viewer', 'owner', 'constructor'] as const;
export type Role = (typeof roleNames)[number];

/** All 32 sets of roles: two that grant, one that does not, an unknown one, an inherited name. */
const roleSets: readonly (readonly Role[])[] = Array.from({ length: 2 ** roleNames.length }, (_, set) =>
  roleNames.filter((_, index) => Math.floor(set / 2 ** index) % 2 === 1),
);

const recordStates = ['good', 'revoked', 'expired'] as const;
const scopes = ['PRODUCT', 'PRODUCTS', 'missing'] as const;

/** A key that was issued. */
export type IssuedKey = {
  readonly state: (typeof recordStates)[number];
  readonly scope: (typeof scopes)[number];
  readonly roles: readonly Role[];
  readonly sent: string;
};
export type Key = IssuedKey | { readonly state: 'missing' | 'malformed' | 'unknown'; readonly sent?: string };

export const issuedKeys: readonly IssuedKey[] = recordStates.flatMap((state) =>
  scopes.flatMap((scope) =>
    roleSets.map((roles) => ({ state, scope, roles, sent: `${state} ${scope} ${roles.join(' ')}` })),
  ),
);
export const keys: readonly Key[] = [
  { state: 'missing' },
  { state: 'malformed', sent: 'good PRODUCT admin,good PRODUCT admin' },
  { state: 'unknown', sent: 'good PRODUCT admi' },
  ...issuedKeys,
];

export const tenants = [
  { is: 'missing', sent: undefined },
  { is: 'blank', sent: ' \t' },
  { is: 'malformed', sent: 'acme,acme' },
  { is: 'of the key', sent: 'acme' },
  { is: 'of others', sent: 'globex' },
  { is: 'invented', sent: 'initech' },
] as const;

export const users = [
  { is: 'missing', sent: undefined },
  { is: 'malformed', sent: 'ada ada' },
  { is: 'owner', sent: 'ada' },
  { is: 'other', sent: 'grace' },
] as const;

/** The spaces of the tenant `acme`, one that only `globex` has, one that nobody has, one that nobody can have. */
export const spaces = [
  { is: 'known', spaceId: 'public', visibility: 'public', owner: 'ada' },
  { is: 'known', spaceId: 'private', visibility: 'private', owner: 'ada' },
  { is: 'known', spaceId: 'odd', visibility: 'PUBLIC', owner: 'ada' },
  { is: 'known', spaceId: 'no-owner', visibility: 'private', owner: undefined },
  { is: 'of others', spaceId: 'foreign', visibility: 'public', owner: 'ada' },
  { is: 'unknown', spaceId: 'nowhere' },
  { is: 'impossible', spaceId: 's'.repeat(1025) },
] as const;

/** A name that every space has, one that only another space has, one that none has. */
export const files = [
  { is: 'known', fileId: 'twin' },
  { is: 'elsewhere', fileId: 'lone' },
  { is: 'unknown', fileId: 'nothing' },
] as const;

export type Cell = {
  readonly key: Key;
  readonly tenant: (typeof tenants)[number];
  readonly user: (typeof users)[number];
  readonly space: (typeof spaces)[number];
  readonly file: (typeof files)[number];
};

/** Every cell of one key. */
export const cellsOf = (key: Key): readonly Cell[] =>
  tenants.flatMap((tenant) =>
    users.flatMap((user) =>
      spaces.flatMap((space) => files.map((file) => ({ key, tenant, user, space, file }))),
    ),
  );

/** A cell in few words, for the message of a failure. */
export const tell = ({ key, tenant, user, space, file }: Cell): string =>
  `key ${key.sent ?? key.state}; tenant ${tenant.is}; user ${user.is}; space ${space.spaceId.slice(0, 16)}; file ${file.is}`;
