import type { Data } from '../../tools/dev-server/data.ts';

/** The key whose requests are measured. */
export const editorKey = 'bench-editor-key';

const ofTenant = { tenantId: 'acme', scope: 'PRODUCT', createdAt: 1767225600 };

const tags = ['audience', 'status', 'quarter', 'author', 'origin', 'reviewed'].map((key, index) => ({
  key,
  value: `the value of ${key}`,
  aiExtracted: index % 2 === 0,
}));

/**
 * What the tables hold: a key, a public space and a detailed file of about 1 KB for the good path; the rest only
 * for the refusals and the fence.
 */
export const records: Data = {
  apiKeys: [
    { key: editorKey, keyId: 'key-editor', roles: ['editor'], ...ofTenant },
    { key: 'bench-viewer-key', keyId: 'key-viewer', roles: ['viewer'], ...ofTenant },
    { key: 'bench-internal-key', keyId: 'key-internal', roles: ['editor'], ...ofTenant, scope: 'INTERNAL' },
    { key: 'bench-revoked-key', keyId: 'key-revoked', roles: ['editor'], ...ofTenant, revokedAt: 1767225601 },
  ],
  spaces: [
    { tenantId: 'acme', spaceId: 'handbook', ownerId: 'grace', visibility: 'public' },
    { tenantId: 'acme', spaceId: 'ada-drafts', ownerId: 'ada', visibility: 'private' },
  ],
  files: [
    {
      spaceId: 'handbook',
      fileId: '3f2b8c1e-6a4d-4c57-9e0f-1b7a2d9c5e80',
      originalName: 'onboarding-handbook-for-new-colleagues-2026.pdf',
      summary: 'How the first week goes, told at some length. '.repeat(6).trim(),
      language: 'en',
      documentKind: 'guide',
      domain: 'hr',
      chunksCount: 12,
      charactersCount: 18450,
      tags,
    },
    // Written by a clock that is ahead: who has the fence is refused, and has to write again.
    {
      spaceId: 'handbook',
      fileId: 'from-the-future',
      language: 'en',
      domain: 'hr',
      tags: [],
      version: 9_000_000_000_000_000,
    },
  ],
};
