/** What a key may be allowed to do. */
export type Permission = 'files:update';

/** The one table of roles (docs/contract.md, "Roles"). A Map, so that no inherited name is ever a role. */
const permissionsByRole: ReadonlyMap<string, readonly Permission[]> = new Map([
  ['admin', ['files:update']],
  ['editor', ['files:update']],
  ['viewer', []],
]);

/** The names of all roles. */
export const roles: readonly string[] = [...permissionsByRole.keys()];

/** Whether at least one of the roles grants the permission. Unknown roles grant nothing. */
export const grants = (held: readonly string[], permission: Permission): boolean =>
  held.some((role) => permissionsByRole.get(role)?.includes(permission) ?? false);
