import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { temporaryFolder } from '#test/support/processes.ts';
import { openTables } from '#test/support/tables.ts';
import { UsageError } from '#tools/cli.ts';
import { loadData, readData, removeData } from '#tools/tables/data.ts';

const folder = temporaryFolder();
afterAll(folder.remove);

/** Reads a data file with this content. */
const read = (content: object | string) => {
  const path = join(folder.path, 'my.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return readData(path);
};

const apiKey = { key: 'abc', tenantId: 't', scope: 'PRODUCT', roles: ['editor'] };
const space = { tenantId: 't', spaceId: 's', ownerId: 'o', visibility: 'public' };
const file = { spaceId: 's', fileId: 'f', language: 'en', domain: 'd' };

test('loadData stores records once: keys as their hash, files with a version', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-12T19:03:58.123Z') });
  const named = { ...file, fileId: 'named', storageKey: 'x', version: 7 };
  const { client, names, everything } = await openTables('data-once');
  const data = read({ apiKeys: [apiKey], files: [file, named] });
  expect(await loadData(client, names, data)).toBe(3);
  // printf abc | sha256sum
  const keyHash = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
  const { key, ...attributes } = apiKey;
  const stored = [
    [{ ...attributes, keyHash, keyId: 'key-ba7816bf8f01', createdAt: 1_773_342_238, seeded: true }],
    [],
    [
      { ...file, version: 1_773_342_238_123_000, seeded: true },
      { ...named, seeded: true },
    ],
  ];
  expect(await everything()).toStrictEqual(stored);
  expect(await loadData(client, names, read({ files: [{ ...file, summary: 'second' }] }))).toBe(0);
  expect(await everything()).toStrictEqual(stored);
});

test('removeData removes only records from a data file, also if they have changed since', async () => {
  const { client, names, everything, putSpace, putFile } = await openTables('data-remove');
  const data = read({ apiKeys: [apiKey], spaces: [space], files: [file] });
  const other = { ...space, visibility: 'private' };
  await putSpace(other);
  expect(await loadData(client, names, data)).toBe(2);
  await putFile({ ...file, summary: 'changed', version: 8, seeded: true });
  expect(await removeData(client, names, data)).toBe(2);
  expect(await everything()).toStrictEqual([[], [other], []]);
});

const withFile = (attributes: object) => ({ files: [{ ...file, ...attributes }] });
test.each<[object | string, string]>([
  [{ spaces: [{ ...space, spaceId: 'x'.repeat(1025) }] }, 'spaceId must have 1 to 1024 bytes'],
  [withFile({ fileId: '' }), 'fileId must have 1 to 1024 bytes'],
  [{ apiKeys: [{ ...apiKey, key: 'secret,' }] }, 'must be 1 to 512 characters of printable ASCII'],
  [
    { apiKeys: [{ ...apiKey, scope: 1 }], spaces: [space, {}], ...withFile({ tags: 1 }) },
    `API key record does not fit: scope: invalid_type
  → at apiKeys[0]
✖ space record does not fit: tenantId: invalid_type, spaceId: invalid_type
  → at spaces[1]
✖ file record does not fit: tags: invalid_type
  → at files[0]`,
  ],
  [withFile({ chunksCount: 1 }), 'file record does not fit: originalName'],
  [withFile({ version: '1' }), 'file record does not fit: version'],
  [{ apiKeys: [{}] }, 'Invalid input: expected string, received undefined\n  → at apiKeys[0].key'],
  [{ keys: [] }, 'Unrecognized key: "keys"'],
  // Without quoting the text, which may be a key.
  ['secret', 'my.json is not valid JSON.'],
])('readData rejects %j', (content, problem) => {
  expect(() => read(content)).toThrow(UsageError);
  expect(() => read(content)).toThrow(problem);
  expect(() => read(content)).not.toThrow('secret');
});
