import fc from 'fast-check';
import type { Item, TableName } from '#test/proof/access/engines/backend.ts';
import { apiKeys, files, issued, spaces } from './universe.ts';

/** A record that somebody else changes between two requests; undefined: it is gone. */
export type Change = {
  readonly name: string;
  readonly table: TableName;
  readonly record: Item;
  readonly edit: (found: Item | undefined, now: number) => Item | undefined;
};

const without = (item: Item | undefined, name: string) =>
  item && Object.fromEntries(Object.entries(item).filter(([other]) => other !== name));
const edited = (fields: Item) => (found: Item | undefined) => found && { ...found, ...fields };

/** A key revoked, issued, deleted, about to expire, or given other rights. */
export const keyChange = fc.constantFrom(...Object.entries(apiKeys)).chain(([key, record]) =>
  fc.constantFrom<Change>(
    ...[1, null, false].map((revokedAt) => ({
      name: `revoke ${key}`,
      table: 'apiKeys' as const,
      record,
      edit: edited({ revokedAt }),
    })),
    ...['issue', 'issue once more', 'issue again'].map((how) => ({
      name: `${how} ${key}`,
      table: 'apiKeys' as const,
      record,
      edit: () => issued(key, { tenantId: record['tenantId'] }),
    })),
    { name: `delete ${key}`, table: 'apiKeys', record, edit: () => undefined },
    ...[0, 1, 3, 30].map((seconds) => ({
      name: `let ${key} expire ${seconds} s from now`,
      table: 'apiKeys' as const,
      record,
      edit: (found: Item | undefined, now: number) =>
        found && { ...found, expiresAt: Math.floor(now / 1000) + seconds },
    })),
    ...[['editor'], ['viewer'], [], ['viewer', 'admin'], ['Editor', 'constructor']].map((roles) => ({
      name: `give ${key} the roles ${roles}`,
      table: 'apiKeys' as const,
      record,
      edit: edited({ roles }),
    })),
    ...['PRODUCT', 'PRODUCTS'].map((scope) => ({
      name: `give ${key} the scope ${scope}`,
      table: 'apiKeys' as const,
      record,
      edit: edited({ scope }),
    })),
  ),
);

const flipped = (found: Item | undefined) =>
  found && { ...found, visibility: found['visibility'] === 'public' ? 'private' : 'public' };

/** A space flipped, given away, broken, removed or made anew. */
export const spaceChange = fc.constantFrom(...spaces).chain((record) => {
  const change = (name: string, edit: Change['edit']): Change => ({
    name: `${name} ${record['spaceId']}`,
    table: 'spaces',
    record,
    edit,
  });
  return fc.constantFrom(
    change('flip', flipped),
    change('flip', flipped),
    change('give to grace', edited({ ownerId: 'grace' })),
    change('give to ada', edited({ ownerId: 'ada' })),
    change('take the owner off', (found) => without(found, 'ownerId')),
    change('take the visibility off', (found) => without(found, 'visibility')),
    change('make PUBLIC', edited({ visibility: 'PUBLIC' })),
    change('remove', () => undefined),
    change('make anew', () => record),
    change('make anew, public', () => ({ ...record, visibility: 'public' })),
  );
});

/** A file deleted or made anew. */
export const fileChange = fc.constantFrom(...files).chain((record) => {
  const change = (name: string, edit: Change['edit']): Change => ({
    name: `${name} ${record['spaceId']}/${record['fileId']}`,
    table: 'files',
    record,
    edit,
  });
  return fc.constantFrom(
    change('delete', () => undefined),
    change('make anew', () => record),
    change('make anew', () => record),
  );
});

/** A change that others make to a key, a space or a file. */
export const anyChange = fc.oneof(keyChange, spaceChange, fileChange);
