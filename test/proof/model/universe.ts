import { type Item, sha256, type TableName } from '#test/proof/access/engines/backend.ts';
import { aBasicFile, aFile, anApiKey, aSpace, NOW } from '#test/support/given.ts';
import { emptyState, type State, withRecord } from './state.ts';

/** A key record as the table holds it. */
export const issued = (key: string, overrides: Item): Item => {
  const { key: _, ...record } = anApiKey({ keyId: `id of ${key}`, ...overrides });
  return { keyHash: sha256(key), ...record };
};

export const apiKeys: Readonly<Record<string, Item>> = {
  'editor-key': issued('editor-key', {}),
  'admin-key': issued('admin-key', { roles: ['viewer', 'admin'], expiresAt: NOW / 1000 + 20 }),
  'viewer-key': issued('viewer-key', { roles: ['viewer'] }),
  'internal-key': issued('internal-key', { scope: 'INTERNAL' }),
  'globex-key': issued('globex-key', { tenantId: 'globex' }),
};

export const spaces: readonly Item[] = [
  aSpace(),
  aSpace({ spaceId: 'drafts', visibility: 'private' }),
  aSpace({ tenantId: 'globex', spaceId: 'plans', ownerId: 'grace' }),
];

const untouched = { hidden: 'never answered', size: 12.5 };
const { summary: _, tags: __, ...bare } = aBasicFile({ spaceId: 'drafts', fileId: 'f1' });

/** Both shapes; one id in every space; attributes that no answer and no write names. */
export const files: readonly Item[] = [
  aFile({ spaceId: 'handbook', fileId: 'f1', ...untouched }),
  aBasicFile({ spaceId: 'handbook', fileId: 'f2' }),
  bare,
  aFile({ spaceId: 'plans', fileId: 'f1', version: 7, requestId: 'old', updatedBy: 'someone' }),
];

/** Every record, with its table. */
export const universe: readonly (readonly [TableName, Item])[] = [
  ...Object.values(apiKeys).map((item) => ['apiKeys', item] as const),
  ...spaces.map((item) => ['spaces', item] as const),
  ...files.map((item) => ['files', item] as const),
];

/** The state in which every sequence begins. */
export const beginning: State = universe.reduce(
  (state, [table, item]) => withRecord(state, table, item),
  emptyState(NOW),
);
