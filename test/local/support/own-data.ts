import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a user may bring with --data: names that must be encoded, and a key that must not be shown. */
export const ownData = {
  apiKeys: [{ key: 'my secret', tenantId: 't', scope: 'PRODUCT', roles: ['editor'] }],
  spaces: [{ tenantId: 't', spaceId: 'a/b', ownerId: 'o', visibility: 'private' as const }],
  files: [{ spaceId: 'a/b', fileId: "it's", language: 'en', domain: 'd', tags: [] }],
};

/** Writes it into a folder and gives the file. */
export const writeOwnData = (folder: string): string => {
  const file = join(folder, 'own.json');
  writeFileSync(file, JSON.stringify(ownData));
  return file;
};
