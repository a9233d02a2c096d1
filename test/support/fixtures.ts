import { hash } from 'node:crypto';
import { NumberValue } from '@aws-sdk/lib-dynamodb';
import { editableFields } from '#lib/domain/file-patch.ts';
import { RECENT_WRITE_ATTRIBUTES } from '#lib/store/recent-writes.ts';
import demo from '#tools/tables/demo-data.json' with { type: 'json' };

/** The time at which every test starts: 2026-09-21T14:13:20Z. */
export const NOW = 1_790_000_000_000;
/** The version that the first write of a test gives. */
export const FIRST_VERSION = 1_790_000_000_000_000;

/**
 * Values that a patch can set documentKind to, in all tests but those of its own rules (test/requests/cases/fields.ts). The
 * first one is longer than five letters, so that it can make a file too large.
 */
export const kinds = ['policy', 'form'] as const;

export const unknownField = (name: string) =>
  `Unknown field "${name}"; editable fields are ${editableFields.join(', ')}`;

type Overrides = Record<string, unknown>;

/* The records are those of the demo data: the first key may update the first file in the first space. */
const [[demoKey], [demoSpace], [demoFile]] = [demo.apiKeys, demo.spaces, demo.files];
if (!(demoKey && demoSpace && demoFile))
  throw new Error('tools/tables/demo-data.json lacks a key, a space or a file');
for (const name of editableFields)
  if (!(name in demoFile)) throw new Error(`tools/tables/demo-data.json: the first file has no ${name}`);

export const API_KEY = demoKey.key;
/** A stored API key. `key` is what a client sends. */
export const apiKeyRecord = ({ key = API_KEY, ...overrides }: Overrides = {}): Overrides => {
  const { key: _, ...record } = demoKey;
  return { keyHash: hash('sha256', String(key)), ...record, ...overrides };
};
export const aSpace = (overrides: Overrides = {}) => ({ ...demoSpace, ...overrides });

const { spaceId, fileId: FILE_ID, ...detailed } = demoFile;

export { FILE_ID };

const id = { spaceId, fileId: FILE_ID };
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
