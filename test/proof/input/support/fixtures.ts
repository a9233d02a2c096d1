import { aFile, anApiKey, aSpace, NOW } from '#test/support/given.ts';
import { BIG_FILE_ID } from '#test/support/seed.ts';

/** What the bad requests meet: one good key and bad ones, one open space and one closed, a file and a big one. */
export const apiKeys = [
  anApiKey(),
  anApiKey({ key: 'viewer-key', keyId: 'key-2', roles: ['viewer'] }),
  anApiKey({ key: 'other-scope-key', keyId: 'key-3', scope: 'PRODUCTS' }),
  anApiKey({ key: 'globex-key', keyId: 'key-4', tenantId: 'globex' }),
  anApiKey({ key: 'revoked-key', keyId: 'key-5', revokedAt: 1 }),
  anApiKey({ key: 'expired-key', keyId: 'key-6', expiresAt: NOW / 1000 }),
];
export const spaces = [
  aSpace(),
  aSpace({ spaceId: 'vault', visibility: 'private' }),
  aSpace({ tenantId: 'globex', spaceId: 'vault-of-globex' }),
];
export const files = [
  aFile(),
  {
    spaceId: 'handbook',
    fileId: BIG_FILE_ID,
    language: 'en',
    domain: 'hr',
    tags: [],
    thumbnail: 'x'.repeat(400 * 1024 - 5_000),
  },
];
