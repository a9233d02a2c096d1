import { hash } from 'node:crypto';
import { NumberValue } from '@aws-sdk/lib-dynamodb';
import { editableFields } from '#lib/domain/file-patch.ts';
import { RECENT_WRITE_ATTRIBUTES } from '#lib/store/recent-writes.ts';
import demo from '#tools/tables/demo-data.json' with { type: 'json' };

/** The time at which every test starts: 2026-09-21T14:13:20Z. */
export const NOW = 1_790_000_000_000;
/** The version that the first write of a test gives. */
export const FIRST_VERSION = 1_790_000_000_000_000;

export const FILE_ID = '3f2b8c1e-6a4d-4c57-9e0f-1b7a2d9c5e80';

/**
 * Values that a patch can set documentKind to, in all tests but those of its own rules (test/requests/cases/fields.ts). The
 * first one is longer than five letters, so that it can make a file too large.
 */
export const kinds = ['policy', 'form'] as const;

export const unknownField = (name: string) =>
  `Unknown field "${name}"; editable fields are ${editableFields.join(', ')}`;

type Overrides = Record<string, unknown>;

export const anApiKey = (overrides: Overrides = {}) => ({
  key: 'editor-key',
  keyId: 'key-1',
  tenantId: 'acme',
  scope: 'PRODUCT',
  roles: ['editor'],
  createdAt: 1_767_225_600,
  ...overrides,
});

/** A stored API key; `anApiKey` holds it as a client sends it. */
export const apiKeyRecord = (overrides: Overrides = {}): Overrides => {
  const { key, ...record } = anApiKey(overrides);
  return { keyHash: hash('sha256', key), ...record };
};

export const aSpace = (overrides: Overrides = {}) => ({
  tenantId: 'acme',
  spaceId: 'handbook',
  ownerId: 'ada',
  visibility: 'public',
  ...overrides,
});

const id = { spaceId: 'handbook', fileId: FILE_ID };
const [demoFile] = demo.files;
if (demoFile === undefined) throw new Error('The demo data has no file');
for (const name of editableFields)
  if (!(name in demoFile)) throw new Error(`The first file of the demo data has no ${name}`);
const { spaceId: _, fileId: __, ...detailed } = demoFile;
const { originalName, chunksCount, charactersCount, ...basic } = detailed;

/** A file of the basic shape. */
export const aBasicFile = (overrides: Overrides = {}) => ({ ...id, ...basic, tags: [], ...overrides });
/** What a client sees of `aBasicFile()`. */
export const aBasicFileView = (overrides: Overrides = {}) => ({
  id: FILE_ID,
  ...basic,
  tags: [],
  ...overrides,
});
/** A file of the detailed shape that this service has not written yet. */
export const aFile = (overrides: Overrides = {}) => ({ ...id, ...detailed, ...overrides });
/** What a client sees of `aFile()`. */
export const aFileView = (overrides: Overrides = {}) => ({ id: FILE_ID, ...detailed, ...overrides });

/** What the first write leaves on a file besides the patch: half of the request id, and the version in base 36. */
export const firstWrite = (version = FIRST_VERSION, requestId = 'request-1') => ({
  version,
  w1: `${requestId.replaceAll('-', '').slice(0, 16)}..${version.toString(36)}`,
  ...Object.fromEntries(RECENT_WRITE_ATTRIBUTES.slice(1).map((name) => [name, ''])),
});

/** Just under DynamoDB's 400 KB. */
export const largeFile = aBasicFile({
  fileId: 'b16f11e0-0000-4000-8000-000000000001',
  thumbnail: 'x'.repeat(400 * 1024 - 5_000),
});

const { domain: ___, ...broken } = aBasicFile({ fileId: 'b20ce400-0000-4000-8000-000000000002' });
/** A record that is no file. */
export const brokenFile = broken;

/** It has a number with more digits than JavaScript keeps. */
export const preciseFile = aBasicFile({
  fileId: '9ec15e00-0000-4000-8000-000000000004',
  checksum: NumberValue.from('12345678901234567890.5'),
});

/** A record without some of its attributes. */
export const without = (record: object, ...names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
