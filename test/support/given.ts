/** The time at which every test runs: 2026-09-21T14:13:20Z. */
export const NOW = 1_790_000_000_000;
/** The version that the first write of a test gives. */
export const FIRST_VERSION = 1_790_000_000_000_000;

export const FILE_ID = '3f2b8c1e-6a4d-4c57-9e0f-1b7a2d9c5e80';

export const anApiKey = (overrides: Record<string, unknown> = {}) => ({
  key: 'editor-key',
  keyId: 'key-1',
  tenantId: 'acme',
  scope: 'PRODUCT',
  roles: ['editor'],
  createdAt: 1_767_225_600,
  ...overrides,
});

export const aSpace = (overrides: Record<string, unknown> = {}) => ({
  tenantId: 'acme',
  spaceId: 'handbook',
  ownerId: 'ada',
  visibility: 'public',
  ...overrides,
});

/** A file of the detailed shape that no write of ours has touched yet. */
export const aFile = (overrides: Record<string, unknown> = {}) => ({
  spaceId: 'handbook',
  fileId: FILE_ID,
  originalName: 'onboarding.pdf',
  summary: 'How the first week goes.',
  language: 'en',
  documentKind: 'guide',
  domain: 'hr',
  chunksCount: 12,
  charactersCount: 18_450,
  tags: [{ key: 'audience', value: 'new hires', aiExtracted: true }],
  ...overrides,
});

/** A file of the basic shape. */
export const aBasicFile = (overrides: Record<string, unknown> = {}) => ({
  spaceId: 'handbook',
  fileId: FILE_ID,
  summary: 'How the first week goes.',
  language: 'en',
  documentKind: 'guide',
  domain: 'hr',
  tags: [],
  ...overrides,
});

/** What a client sees of `aFile()`. */
export const aFileView = (overrides: Record<string, unknown> = {}) => ({
  id: FILE_ID,
  originalName: 'onboarding.pdf',
  summary: 'How the first week goes.',
  language: 'en',
  documentKind: 'guide',
  domain: 'hr',
  chunksCount: 12,
  charactersCount: 18_450,
  tags: [{ key: 'audience', value: 'new hires', aiExtracted: true }],
  ...overrides,
});
