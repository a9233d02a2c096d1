import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { roles } from '#lib/domain/api-key.ts';
import { NOW } from '#test/support/fixtures.ts';
import { temporaryFolder } from '#test/support/processes.ts';
import { openTables } from '#test/support/tables.ts';
import { UsageError } from '#tools/cli.ts';
import { loadData, readData, removeData, warnOfMissingSpaces } from '#tools/tables/data.ts';

const folder = temporaryFolder();
afterAll(folder.remove);

const path = join(folder.path, 'my.json');
/** Reads a data file with this content. */
const read = (content: object | string) => {
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return readData(path);
};

const apiKey = { key: 'abc', tenantId: 't', scope: 'PRODUCT', roles: ['editor'] };
const space = { tenantId: 't', spaceId: 's', ownerId: 'o', visibility: 'public' };
const file = { spaceId: 's', fileId: 'f', language: 'en', domain: 'd' };

test('loadData stores records once: keys as their hash, files with a version', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-12T19:03:58.123Z') });
  const named = { ...file, fileId: 'named', updatedBy: 'x', version: 7 };
  const { client, names, everything } = await openTables('data-once');
  const data = read({ apiKeys: [apiKey], files: [file, named] });
  expect(await loadData(client, names, data)).toBe(3);
  // printf abc | sha256sum
  const keyHash = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
  const { key, ...attributes } = apiKey;
  const seeded = true;
  const stored = [
    [{ ...attributes, keyHash, keyId: 'key-ba7816bf8f01', createdAt: 1_773_342_238, seeded }],
    [],
    [
      { ...file, version: 1_773_342_238_123_000, seeded },
      { ...named, seeded },
    ],
  ];
  expect(await everything()).toStrictEqual(stored);
  expect(await loadData(client, names, read({ files: [{ ...file, summary: 'second' }] }))).toBe(0);
  expect(await everything()).toStrictEqual(stored);
});

test('removeData removes only records from a data file, also if they have changed since', async () => {
  const { client, names, everything, putSpace, putFile, getFile } = await openTables('data-remove');
  const data = read({ apiKeys: [apiKey], spaces: [space], files: [file] });
  const other = { ...space, visibility: 'private' };
  await putSpace(other);
  expect(await loadData(client, names, data)).toBe(2);
  const written = await getFile(file.spaceId, file.fileId);
  await putFile({ ...written, summary: 'changed', version: 8 });
  expect(await removeData(client, names, data)).toBe(2);
  expect(await everything()).toStrictEqual([[], [other], []]);
});

/** A data file with one record of each table, and what differs in one of them. */
const withApiKey = (attributes: object) => ({ apiKeys: [{ ...apiKey, ...attributes }] });
const withSpace = (attributes: object) => ({ spaces: [{ ...space, ...attributes }] });
const withFile = (attributes: object) => ({ files: [{ ...file, ...attributes }] });
const seconds = '✖ must be in seconds since 1970';
const storable = '✖ must have 1 to 1024 bytes of valid Unicode';
const callerId = '✖ must be 1 to 128 characters of printable ASCII, without spaces and commas';
const version = Number.MAX_SAFE_INTEGER + 1;
const tag = { key: 'k', value: 'v', aiExtracted: true };

test.each<[string, object | string, string]>([
  // What the service would ignore, or what grants nothing.
  [
    'a misspelled visibility',
    { spaces: [space, { ...space, spaceId: 't' }, { ...space, spaceId: 'u', visibility: 'publik' }] },
    '✖ Invalid option: expected one of "private"|"public"\n  → at spaces[2].visibility',
  ],
  [
    'an unknown role',
    withApiKey({ roles: ['editor', 'boss'] }),
    `✖ Invalid option: expected one of ${roles.map((role) => `"${role}"`).join('|')}\n  → at apiKeys[0].roles[1]`,
  ],
  [
    'an unknown scope',
    withApiKey({ scope: 'product' }),
    '✖ Invalid option: expected one of "PRODUCT"|"INTERNAL"\n  → at apiKeys[0].scope',
  ],
  ['a misspelled field', withFile({ sumary: 'secret' }), '✖ unknown name\n  → at files[0].sumary'],
  [
    'an unknown name in a tag',
    withFile({ tags: [tag, { ...tag, k: 1 }] }),
    '✖ unknown name\n  → at files[0].tags[1].k',
  ],
  ['an unknown name in a space', withSpace({ owner: 'o' }), '✖ unknown name\n  → at spaces[0].owner'],
  ['an unknown name in a key', withApiKey({ expires: 1 }), '✖ unknown name\n  → at apiKeys[0].expires'],
  ['the hash of a key', withApiKey({ keyHash: 'x' }), '✖ unknown name\n  → at apiKeys[0].keyHash'],
  ['the recent writes of a file', withFile({ w1: 'a..1' }), '✖ unknown name\n  → at files[0].w1'],
  ['an unknown list', { keys: [] }, '✖ unknown name\n  → at keys'],
  ['no owner', withSpace({ ownerId: undefined }), '✖ is missing\n  → at spaces[0].ownerId'],
  ['no visibility', withSpace({ visibility: undefined }), '✖ is missing\n  → at spaces[0].visibility'],
  ['no tenant of a key', withApiKey({ tenantId: undefined }), '✖ is missing\n  → at apiKeys[0].tenantId'],
  ['no language', withFile({ language: undefined }), '✖ is missing\n  → at files[0].language'],
  [
    'a part of the detailed shape',
    withFile({ chunksCount: 1 }),
    '✖ file record does not fit: originalName, charactersCount missing from the detailed shape\n  → at files[0]',
  ],
  [
    'an id that is too long',
    withSpace({ spaceId: 'x'.repeat(1025) }),
    `${storable}\n  → at spaces[0].spaceId`,
  ],
  ['an empty id', withFile({ fileId: '' }), `${storable}\n  → at files[0].fileId`],
  [
    'a key with a comma',
    withApiKey({ key: 'secret,' }),
    '✖ must be 1 to 512 characters of printable ASCII, without commas\n  → at apiKeys[0].key',
  ],
  ...[' secret', 'secret '].map((key): [string, object, string] => [
    `the key "${key}"`,
    withApiKey({ key }),
    '✖ must not begin or end with a space\n  → at apiKeys[0].key',
  ]),
  // What no request can name.
  ...['Zoë', 'Ada Lovelace', 'CN=Ada,OU=Eng', '', 'x'.repeat(129)].flatMap(
    (id): [string, object, string][] => [
      [
        `the tenant "${id}" of a key`,
        withApiKey({ tenantId: id }),
        `${callerId}\n  → at apiKeys[0].tenantId`,
      ],
      [
        `the tenant "${id}" of a space`,
        withSpace({ tenantId: id }),
        `${callerId}\n  → at spaces[0].tenantId`,
      ],
      [`the owner "${id}"`, withSpace({ ownerId: id }), `${callerId}\n  → at spaces[0].ownerId`],
    ],
  ),
  ...[NOW, 253_402_300_800].map((expiresAt): [string, object, string] => [
    `the expiry ${expiresAt}`,
    withApiKey({ expiresAt }),
    `${seconds}\n  → at apiKeys[0].expiresAt`,
  ]),
  // Present in any form, it revokes the key.
  [
    'null as the time of a revocation',
    withApiKey({ revokedAt: null }),
    '✖ Invalid input: expected number, received null\n  → at apiKeys[0].revokedAt',
  ],
  [
    'a date as text',
    withApiKey({ createdAt: '2026-01-01' }),
    '✖ Invalid input: expected number, received string\n  → at apiKeys[0].createdAt',
  ],
  [
    'a name that is no text',
    withApiKey({ name: null }),
    '✖ Invalid input: expected string, received null\n  → at apiKeys[0].name',
  ],
  [
    'a version as text',
    withFile({ version: '1' }),
    '✖ Invalid input: expected number, received string\n  → at files[0].version',
  ],
  [
    'NULL as a version',
    withFile({ version: null }),
    '✖ Invalid input: expected number, received null\n  → at files[0].version',
  ],
  [
    'a version below zero',
    withFile({ version: -1 }),
    '✖ Too small: expected number to be >=0\n  → at files[0].version',
  ],
  [
    'a user that is no text',
    withFile({ updatedBy: 1 }),
    '✖ Invalid input: expected string, received number\n  → at files[0].updatedBy',
  ],
  // What would be stored once, or be told apart by nobody.
  [
    'a key twice',
    {
      apiKeys: [
        { ...apiKey, keyId: 'a' },
        { ...apiKey, keyId: 'b', roles: ['viewer'] },
      ],
    },
    '✖ is also in apiKeys[0]\n  → at apiKeys[1].key',
  ],
  [
    'the id of a key twice',
    { apiKeys: [apiKey, { ...apiKey, key: 'a', keyId: 'x' }, { ...apiKey, key: 'b', keyId: 'x' }] },
    '✖ is also in apiKeys[1]\n  → at apiKeys[2].keyId',
  ],
  ['a space twice', { spaces: [space, space] }, '✖ is also in spaces[0]\n  → at spaces[1].spaceId'],
  [
    'a space in two tenants',
    { spaces: [space, { ...space, tenantId: 'u' }] },
    '✖ is also in spaces[0]\n  → at spaces[1].spaceId',
  ],
  [
    'a file twice',
    { files: [file, { ...file, summary: 'x' }] },
    '✖ is also in files[0]\n  → at files[1].fileId',
  ],
  // Many at once.
  [
    'all of this',
    {
      apiKeys: [{ ...apiKey, scope: 1 }],
      spaces: [space, {}],
      files: [{ ...file, tags: 1, summary: 1, version }, 'secret'],
    },
    `✖ Invalid input: expected object, received string
  → at files[1]
✖ Invalid option: expected one of "PRODUCT"|"INTERNAL"
  → at apiKeys[0].scope
✖ is missing
  → at spaces[1].tenantId
✖ is missing
  → at spaces[1].spaceId
✖ is missing
  → at spaces[1].ownerId
✖ is missing
  → at spaces[1].visibility
✖ Invalid input: expected string, received number
  → at files[0].summary
✖ Invalid input: expected array, received number
  → at files[0].tags
✖ Too big: expected int to be <=9007199254740991
  → at files[0].version`,
  ],
  // What is no data file.
  ['a list', [apiKey], '✖ Invalid input: expected object, received array'],
  ['a text', '"secret"', '✖ Invalid input: expected object, received string'],
  ['a list that is none', { spaces: {} }, '✖ Invalid input: expected array, received object\n  → at spaces'],
])('readData rejects %s', (_, content, problems) => {
  expect(() => read(content)).toThrow(new UsageError(`The data file cannot be used:\n${problems}`));
});

// The message of the parser would quote the text, which may be a key.
test.each([
  ['secret', ''],
  ['', ''],
  ['{"apiKeys":\n[{"key": "secret",}]}', ': see line 2 column 19'],
  ['{"key": "secret" // key\n}', ': see line 1 column 18'],
])('readData rejects `%s`, which is not JSON', (text, place) => {
  expect(() => read(text)).toThrow(new UsageError(`The data file is not valid JSON${place}.`));
});

test.each([
  [folder.path, 'EISDIR: illegal operation on a directory, read'],
  ['/nowhere/my.json', "ENOENT: no such file or directory, open '/nowhere/my.json'"],
])('readData rejects %s, which is no file', (name, reason) => {
  expect(() => readData(name)).toThrow(new UsageError(`The data file cannot be read: ${reason}`));
});

const none = { apiKeys: [], spaces: [], files: [] };
const times = { createdAt: 0, expiresAt: 253_402_300_799, revokedAt: 1 };
const lastVersion = withFile({ version: Number.MAX_SAFE_INTEGER });
test.each<[string, object, object]>([
  ['no list', {}, none],
  ['files alone', { files: [file] }, { ...none, files: [file] }],
  [
    'all attributes of a key',
    withApiKey({ keyId: 'i', name: 'n', ...times }),
    { ...none, ...withApiKey({ keyId: 'i', name: 'n', ...times }) },
  ],
  // The demo data shows the 500 that it causes.
  ['the last version', lastVersion, { ...none, ...lastVersion }],
])('readData takes a file with %s as it is', (_, content, data) => {
  expect(read(content)).toStrictEqual(data);
});

test.each(['utf8', 'utf16le'] as const)('readData reads a file in %s with a byte order mark', (encoding) => {
  writeFileSync(path, `\ufeff${JSON.stringify({ spaces: [{ ...space, spaceId: 'größe' }] })}`, encoding);
  expect(readData(path)).toStrictEqual({ ...none, ...withSpace({ spaceId: 'größe' }) });
});

test.each<[string[], string]>([
  [['s', 's'], ''],
  [['s', 'x'], 'files[1]'],
  [['a', 's', 'b', 'b', 'b', 'b'], 'files[0], files[2], files[3], files[4], files[5]'],
  [['a', 'b', 'c', 'd', 'e', 'f', 'g'], 'files[0], files[1], files[2], files[3], files[4] and 2 more'],
])('a warning names the files of the spaces %j that are in no list: %s', (ids, places) => {
  const files = ids.map((spaceId, index) => ({ ...file, spaceId, fileId: `${index}` }));
  const warning = `Warning: the data file does not have the space of ${places}. Requests get 404, unless the table has it.\n`;
  expect(warnOfMissingSpaces(read({ spaces: [space], files }))).toBe(places && warning);
});
