import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTables, directClient, type Item, tableNames } from '#test/simulation/tables.ts';
import { anEvent, aRestEvent } from '#test/support/event.ts';
import { aBasicFile, aSpace, FILE_ID, NOW } from '#test/support/given.ts';
import { apiKeyRecord, runs, startService } from './service.ts';

/** Tables with these records. `send` tells the status, the message and the files that changed. */
const open = (apiKeys: readonly Item[], spaces: readonly Item[], files: readonly Item[]) => {
  const tables = createTables();
  for (const record of apiKeys) tables.put('apiKeys', record);
  for (const space of spaces) tables.put('spaces', aSpace(space));
  for (const file of files) tables.put('files', aBasicFile(file));
  const service = startService(directClient(tables), tableNames);
  const everything = () => [...tables.all('apiKeys'), ...tables.all('spaces'), ...tables.all('files')];
  const send = async (event: unknown) => {
    const before = new Set(everything());
    const { response } = await service(event);
    const changed = everything().filter((item) => !before.has(item));
    const { message } = JSON.parse(response.body);
    return {
      status: response.statusCode,
      message,
      changed: changed.map((item) => [item['spaceId'], item['fileId']]),
    };
  };
  return { tables, send };
};

const tenants = ['acme', 'globex', 'initech'];
const tenantKeys = tenants.map((tenantId) => apiKeyRecord({ tenantId, key: `key of ${tenantId}` }));
const as = (tenantId: string) => ({ 'x-api-key': `key of ${tenantId}`, 'x-tenant-id': tenantId });
const notFound = (what: 'Space' | 'File') => ({ status: 404, message: `${what} not found`, changed: [] });
const written = (...file: string[]) => ({ status: 200, message: undefined, changed: [file] });

test('of all tenants, spaces and files, each tenant writes its own files and no other record', async () => {
  const spaces = tenants.flatMap((tenantId) =>
    [1, 2, 3].map((n) => ({ tenantId, spaceId: `${tenantId}-${n}` })),
  );
  // The first file has the same id everywhere.
  const filesOf = (spaceId: string) => ['twin', `${spaceId}-a`, `${spaceId}-b`];
  const files = spaces.flatMap(({ spaceId }) => filesOf(spaceId).map((fileId) => ({ spaceId, fileId })));
  const { send } = open(tenantKeys, spaces, files);
  for (const tenantId of tenants)
    for (const space of spaces)
      for (const fileId of new Set(files.map((file) => file.fileId))) {
        const { spaceId } = space;
        const inOwnSpace = filesOf(spaceId).includes(fileId) ? written(spaceId, fileId) : notFound('File');
        const expected = space.tenantId === tenantId ? inOwnSpace : notFound('Space');
        expect(await send(anEvent({ headers: as(tenantId), spaceId, fileId }))).toEqual(expected);
      }
});

/** Ids that a joined key would confuse: made of delimiters, prefixes of each other. */
const id = fc.string({
  unit: fc.constantFrom('#', '|', ':', '/', ',', '%', 'a'),
  minLength: 1,
  maxLength: 5,
});
const path = fc.tuple(id, id, fc.nat(5), fc.nat(5)).map(([one, other, a, b]) => {
  const similar = [one, other].flatMap((name) => [name, name.slice(0, -1), `${name}#`]);
  const names = [...new Set(similar.filter((name) => name !== ''))];
  return { names, spaceId: names[a % names.length] ?? one, fileId: names[b % names.length] ?? other };
});

test.each([
  ['1.0', aRestEvent, encodeURIComponent],
  ['2.0', anEvent, String],
])(
  'ids that could collide or change places name one file and no other, in format %s',
  async (_, make, encode) => {
    const property = fc.asyncProperty(path, async ({ names, spaceId, fileId }) => {
      const spaces = names.map((name) => ({ spaceId: name }));
      const files = names.flatMap((name) => names.map((other) => ({ spaceId: name, fileId: other })));
      const { send, tables } = open(tenantKeys, spaces, files);
      const event = (tenantId: string, space: string, file: string) =>
        make({ headers: as(tenantId), spaceId: encode(space), fileId: encode(file) });
      expect(await send(event('acme', spaceId, fileId))).toEqual(written(spaceId, fileId));
      expect(await send(event('globex', spaceId, fileId))).toEqual(notFound('Space'));
      tables.remove('files', { spaceId: fileId, fileId: spaceId });
      expect(await send(event('acme', fileId, spaceId))).toEqual(notFound('File'));
    });
    await fc.assert(property, runs(150));
  },
);

/** Text that looks like a word and is not: other letter case, longer, shorter, another script, other Unicode forms. */
const lookalikes = (word: string): readonly string[] => [
  word === word.toUpperCase() ? word.toLowerCase() : word.toUpperCase(),
  ...[`${word}x`, `x${word}`, `${word}.`, word.slice(0, -1), word.slice(1)],
  ...[`${word.slice(0, -1)}\u0430`, `${word}\u0301`, `%${word.charCodeAt(0).toString(16)}${word.slice(1)}`],
  String.fromCodePoint(...[...word].map((letter) => (letter.codePointAt(0) ?? 0) + 0xfee0)),
];
const odd = [null, true, 0, 7, '', [], {}];

type Parts = NonNullable<Parameters<typeof anEvent>[0]>;
type Given = { readonly key?: Item; readonly space?: Item; readonly parts?: Parts };
const header = (name: string) => (value: unknown) => ({ parts: { headers: { [name]: String(value) } } });
const key = (name: string) => (value: unknown) => ({ key: { [name]: value } });
const space = (more: Item, name: string) => (value: unknown) => ({ space: { ...more, [name]: value } });

/** A request of ada for her private space, with one value put in: what it is, its values, their status. */
const rows: readonly (readonly [string, (value: unknown) => Given, readonly unknown[], number])[] = [
  ['nothing changed', () => ({}), [''], 200],
  ['user', header('x-user-id'), lookalikes('ada'), 403],
  ['tenant', header('x-tenant-id'), lookalikes('acme'), 403],
  ['API key', header('x-api-key'), lookalikes('editor-key'), 401],
  ['space', (spaceId) => ({ parts: { spaceId: String(spaceId) } }), lookalikes('handbook'), 404],
  ['file', (fileId) => ({ parts: { fileId: String(fileId) } }), lookalikes(FILE_ID), 404],
  ['scope', key('scope'), [...lookalikes('PRODUCT'), 'PRODUCT ', '', '*'], 403],
  ['scope of another type', key('scope'), [null, 7, ['PRODUCT']], 500],
  [
    'roles',
    key('roles'),
    [...lookalikes('editor'), ...lookalikes('admin'), '*', '__proto__'].map((r) => [r]),
    403,
  ],
  ['roles of another type', key('roles'), [null, 'editor', { 0: 'editor' }, [7], ['editor', null]], 500],
  ['tenant of the key, of another type', key('tenantId'), [null, 7, ['acme']], 500],
  ['owner', space({}, 'ownerId'), [...lookalikes('ada'), 'grace', ['ada'], ...odd], 403],
  [
    'visibility',
    space({ ownerId: 'grace' }, 'visibility'),
    [...lookalikes('public'), ['public'], ...odd],
    403,
  ],
  ['visibility, for the owner', space({}, 'visibility'), [...lookalikes('public'), ...odd], 200],
  ['revokedAt', key('revokedAt'), [1, NOW / 1000 + 1000, 'no', ...odd], 401],
  ['expiresAt, past', key('expiresAt'), [(NOW - 1) / 1000, NOW / 1000], 401],
  ['expiresAt, 1 ms from now', key('expiresAt'), [(NOW + 1) / 1000], 200],
  ['expiresAt of another type', key('expiresAt'), [null, '9999999999', []], 500],
];

test.each(rows)('only exact values grant access: %s', async (_, make, values, expected) => {
  for (const value of values) {
    const given: Given = make(value);
    const { send } = open([apiKeyRecord(given.key)], [{ visibility: 'private', ...given.space }], [{}]);
    const headers = { 'x-user-id': 'ada', ...given.parts?.headers };
    const { status, changed } = await send(anEvent({ ...given.parts, headers }));
    expect({ value, status, changes: changed.length }).toEqual({
      ...{ value, status: expected },
      changes: expected === 200 ? 1 : 0,
    });
  }
});
