import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { roles } from '#lib/domain/api-key.ts';
import { NOW } from '#test/support/fixtures.ts';
import { temporaryFolder } from '#test/support/processes.ts';
import { idOf } from '#test/support/simulated-tables.ts';
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
  const { client, names, records } = await openTables('data-once');
  const data = read({ apiKeys: [apiKey], files: [file, named] });
  expect(await loadData(client, names, data)).toBe(3);
  // printf abc | sha256sum
  const keyHash = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
  const { key, ...attributes } = apiKey;
  const seeded = expect.stringMatching(/^[\da-f-]{36}$/);
  const stored = {
    [`apiKeys ["${keyHash}"]`]: {
      ...attributes,
      keyHash,
      keyId: 'key-ba7816bf8f01',
      createdAt: 1_773_342_238,
      seeded,
    },
    [idOf('files', file)]: { ...file, version: 1_773_342_238_123_000, seeded },
    [idOf('files', named)]: { ...named, seeded },
  };
  expect(await records()).toEqual(stored);
  expect(await loadData(client, names, read({ files: [{ ...file, summary: 'second' }] }))).toBe(0);
  expect(await records()).toEqual(stored);
});

test('removeData removes only records from a data file, also if they have changed since', async () => {
  const { client, names, records, put, get } = await openTables('data-remove');
  const data = read({ apiKeys: [apiKey], spaces: [space], files: [file] });
  const other = { ...space, visibility: 'private' };
  await put('spaces', other);
  expect(await loadData(client, names, data)).toBe(2);
  const written = await get('files', file);
  await put('files', { ...written, summary: 'changed', version: 8 });
  expect(await removeData(client, names, data)).toBe(2);
  expect(await records()).toStrictEqual({ [idOf('spaces', other)]: other });
});

/** A data file with one record of each table, and what differs in one of them. */
const withApiKey = (attributes: object) => ({ apiKeys: [{ ...apiKey, ...attributes }] });
const withSpace = (attributes: object) => ({ spaces: [{ ...space, ...attributes }] });
const withFile = (attributes: object) => ({ files: [{ ...file, ...attributes }] });
const tag = { key: 'k', value: 'v', aiExtracted: true };
const keyRule = 'must be 1 to 512 characters of printable ASCII, without commas and without spaces around it';
const callerId = 'must be 1 to 128 characters of printable ASCII, without spaces and commas';
const role = `Invalid option: expected one of ${roles.map((one) => `"${one}"`).join('|')}`;
const scope = 'Invalid option: expected one of "PRODUCT"|"INTERNAL"';

test.each<[place: string, rule: string, content: object]>([
  // What the service would ignore, or what grants nothing.
  [
    'spaces[0].visibility',
    'Invalid option: expected one of "private"|"public"',
    withSpace({ visibility: 'x' }),
  ],
  ['apiKeys[0].roles[1]', role, withApiKey({ roles: ['editor', 'boss'] })],
  ['apiKeys[0].scope', scope, withApiKey({ scope: 'product' })],
  ['files[0].sumary', 'unknown name', withFile({ sumary: 'x' })],
  ['files[0].tags[1].k', 'unknown name', withFile({ tags: [tag, { ...tag, k: 1 }] })],
  ['spaces[0].owner', 'unknown name', withSpace({ owner: 'o' })],
  ['apiKeys[0].keyHash', 'unknown name', withApiKey({ keyHash: 'x' })],
  ['keys', 'unknown name', { keys: [] }],
  // A key may stand where a name belongs.
  ['apiKeys[0]["…"]', 'unknown name', withApiKey({ sfk_canary: 1 })],
  ['spaces[0].ownerId', 'is missing', withSpace({ ownerId: undefined })],
  ['files[0].language', 'is missing', withFile({ language: undefined })],
  [
    'files[0]',
    'file record does not fit: originalName, charactersCount missing from the detailed shape',
    withFile({ chunksCount: 1 }),
  ],
  // What no request can name.
  ['files[0].fileId', 'must have 1 to 1024 bytes of valid Unicode', withFile({ fileId: 'x'.repeat(1025) })],
  ['spaces[0].spaceId', 'must have 1 to 1024 bytes of valid Unicode', withSpace({ spaceId: '' })],
  ['apiKeys[0].key', keyRule, withApiKey({ key: 'a,' })],
  ['apiKeys[0].key', keyRule, withApiKey({ key: 'a ' })],
  ['apiKeys[0].tenantId', callerId, withApiKey({ tenantId: 'Zoë' })],
  ['spaces[0].tenantId', callerId, withSpace({ tenantId: 'a b' })],
  ['spaces[0].ownerId', callerId, withSpace({ ownerId: 'CN=Ada,OU=Eng' })],
  ['apiKeys[0].expiresAt', 'must be in seconds since 1970', withApiKey({ expiresAt: NOW })],
  // Present in any form, it revokes the key.
  ['apiKeys[0].revokedAt', 'Invalid input: expected number, received null', withApiKey({ revokedAt: null })],
  ['files[0].version', 'Invalid input: expected number, received string', withFile({ version: '1' })],
  ['files[0].version', 'Too small: expected number to be >=0', withFile({ version: -1 })],
  // What would be stored once, or be told apart by nobody.
  ['apiKeys[1].key', 'is also in apiKeys[0]', { apiKeys: [apiKey, { ...apiKey, roles: ['viewer'] }] }],
  [
    'apiKeys[2].keyId',
    'is also in apiKeys[1]',
    { apiKeys: [apiKey, { ...apiKey, key: 'a', keyId: 'x' }, { ...apiKey, key: 'b', keyId: 'x' }] },
  ],
  ['spaces[1].spaceId', 'is also in spaces[0]', { spaces: [space, { ...space, tenantId: 'u' }] }],
  ['files[1].fileId', 'is also in files[0]', { files: [file, { ...file, summary: 'x' }] }],
  ['spaces', 'Invalid input: expected array, received object', { spaces: {} }],
])('readData names %s: %s', (place, rule, content) => {
  expect(() => read(content)).toThrow(
    new UsageError(`The data file cannot be used:\n✖ ${rule}\n  → at ${place}`),
  );
});

test('readData names all mistakes at once', () => {
  const content = { apiKeys: [{ ...apiKey, scope: 1 }], spaces: [space, {}], files: ['x'] };
  expect(() => read(content)).toThrow(
    new UsageError(`The data file cannot be used:
✖ Invalid input: expected object, received string
  → at files[0]
✖ ${scope}
  → at apiKeys[0].scope
✖ is missing
  → at spaces[1].tenantId
✖ is missing
  → at spaces[1].spaceId
✖ is missing
  → at spaces[1].ownerId
✖ is missing
  → at spaces[1].visibility`),
  );
});

test.each([
  ['{"spaces": [],\n}', ' in line 1, column 14'],
  ['{"spaces": [],\n "größe": sfk_canary}', ' in line 2, column 11'],
  ['{"apiKeys": [{"key": "sfk_canary', ' in line 1, column 33'],
  ["{'key': 'sfk_canary'}", ' in line 1, column 2'],
  ['sfk_canary', ' in line 1, column 1'],
  ['', ' in line 1, column 1'],
  // White space for esbuild, and not for JSON.
  ['\u00a0{}', ''],
])('readData says where `%s` is no JSON', (text, place) => {
  expect(() => read(text)).toThrow(new UsageError(`The data file is not valid JSON${place}.`));
});

test('readData rejects UTF-16, as PowerShell writes it', () => {
  writeFileSync(path, '\ufeff{}', 'utf16le');
  expect(() => readData(path)).toThrow(new UsageError('The data file is not UTF-8.'));
});

test('readData rejects what is no file', () => {
  const reason = 'The data file cannot be read: ENOENT: no such file or directory.';
  expect(() => readData('/nowhere/my.json')).toThrow(new UsageError(reason));
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

test('readData reads a file with a byte order mark', () => {
  expect(read(`\ufeff${JSON.stringify(withSpace({ spaceId: 'größe' }))}`)).toStrictEqual({
    ...none,
    ...withSpace({ spaceId: 'größe' }),
  });
});

test.each<[string[], string]>([
  [['s', 's'], ''],
  [['s', 'x', 'y'], 'files[1]'],
])('a warning names the first of the spaces %j that is in no list: %s', (ids, place) => {
  const files = ids.map((spaceId, index) => ({ ...file, spaceId, fileId: `${index}` }));
  const warning = `Warning: the data file does not have the space of each file, for example of ${place}. Requests get 404, unless the table has it.\n`;
  expect(warnOfMissingSpaces(read({ spaces: [space], files }))).toBe(place && warning);
});
