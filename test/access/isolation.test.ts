import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTables, type Item } from '#test/simulation/tables.ts';
import { anEvent, aRestEvent } from '#test/support/event.ts';
import { aBasicFile, aSpace, FILE_ID, NOW } from '#test/support/given.ts';
import { apiKeyRecord, runs, startService } from './service.ts';

/** Tables with these records. `send` returns the status, and the ids of the files that changed. */
const open = (apiKeys: readonly Item[], spaces: readonly Item[], files: readonly Item[]) => {
  const tables = createTables();
  for (const record of apiKeys) tables.put('apiKeys', apiKeyRecord(record));
  for (const space of spaces) tables.put('spaces', aSpace(space));
  for (const file of files) tables.put('files', aBasicFile(file));
  const service = startService(tables);
  const send = async (event: unknown) => {
    const before = new Set(tables.all('files'));
    const { response } = await service(event);
    const changed = tables.all('files').filter((item) => !before.has(item));
    return [response.statusCode, ...changed.map(({ spaceId, fileId }) => [spaceId, fileId])];
  };
  return { tables, send };
};

/** Ids that a joined key would confuse: made of delimiters, prefixes of each other. */
const id = fc.string({ unit: fc.constantFrom(...'#|:/,%a'), minLength: 1, maxLength: 5 });
const path = fc.tuple(id, id, fc.nat(5), fc.nat(5)).map(([one, other, a, b]) => {
  const similar = [one, other].flatMap((name) => [name, name.slice(0, -1), `${name}#`]);
  const names = [...new Set(similar.filter((name) => name !== ''))];
  return { names, spaceId: names[a % names.length] ?? one, fileId: names[b % names.length] ?? other };
});

test.each([
  ['1.0', aRestEvent, encodeURIComponent],
  ['2.0', anEvent, String],
])('similar ids name one file and no other, in format %s', async (_, make, encode) => {
  const property = fc.asyncProperty(path, async ({ names, spaceId, fileId }) => {
    const spaces = names.map((name) => ({ spaceId: name }));
    const files = names.flatMap((name) => names.map((other) => ({ spaceId: name, fileId: other })));
    const tenants = ['acme', 'globex'].map((tenantId) => ({ tenantId, key: `key of ${tenantId}` }));
    const { send, tables } = open(tenants, spaces, files);
    const event = (tenantId: string, space: string, file: string) =>
      make({
        headers: { 'x-api-key': `key of ${tenantId}`, 'x-tenant-id': tenantId },
        spaceId: encode(space),
        fileId: encode(file),
      });
    expect(await send(event('acme', spaceId, fileId))).toEqual([200, [spaceId, fileId]]);
    expect(await send(event('globex', spaceId, fileId))).toEqual([404]);
    tables.remove('files', { spaceId: fileId, fileId: spaceId });
    expect(await send(event('acme', fileId, spaceId))).toEqual([404]);
  });
  await fc.assert(property, runs(150));
});

/** Text that looks like a word and is not: other letter case, longer, shorter, another script, other Unicode forms. */
const lookalikes = (word: string): readonly string[] => [
  word === word.toUpperCase() ? word.toLowerCase() : word.toUpperCase(),
  `${word}x`,
  `x${word}`,
  `${word}.`,
  word.slice(0, -1),
  word.slice(1),
  `${word.slice(0, -1)}\u0430`,
  `${word}\u0301`,
  `%${word.charCodeAt(0).toString(16)}${word.slice(1)}`,
  String.fromCodePoint(...[...word].map((letter) => (letter.codePointAt(0) ?? 0) + 0xfee0)),
];
const odd = [null, true, 0, 7, '', [], {}];
const wrongRoles = [...lookalikes('editor'), ...lookalikes('admin'), '*', '__proto__'];

/** A request of ada for her private space, with one value put in: its place, its values, their status. */
type Row = [place: string, values: readonly unknown[], status: number, space?: Item];
const rows: readonly Row[] = [
  ['headers.x-user-id', ['ada'], 200],
  ['headers.x-user-id', lookalikes('ada'), 403],
  ['headers.x-tenant-id', lookalikes('acme'), 403],
  ['headers.x-api-key', lookalikes('editor-key'), 401],
  ['ids.spaceId', lookalikes('handbook'), 404],
  ['ids.fileId', lookalikes(FILE_ID), 404],
  ['key.scope', [...lookalikes('PRODUCT'), 'PRODUCT ', '', '*'], 403],
  ['key.scope', [null, 7, ['PRODUCT']], 500],
  ['key.roles', wrongRoles.map((role) => [role]), 403],
  ['key.roles', [null, 'editor', { 0: 'editor' }, [7], ['editor', null]], 500],
  ['key.tenantId', [null, 7, ['acme']], 500],
  ['key.revokedAt', [1, NOW / 1000 + 1000, 'no', ...odd], 401],
  ['key.expiresAt', [(NOW - 1) / 1000, NOW / 1000], 401],
  ['key.expiresAt', [(NOW + 1) / 1000], 200],
  ['key.expiresAt', [null, '9999999999', []], 500],
  ['space.ownerId', [...lookalikes('ada'), 'grace', ['ada'], ...odd], 403],
  ['space.visibility', [...lookalikes('public'), ...odd], 200],
  ['space.visibility', [...lookalikes('public'), ['public'], ...odd], 403, { ownerId: 'grace' }],
];

test.each<Row>(rows)('only exact values grant access: %s', async (place, values, status, otherSpace) => {
  const [part = '', name = ''] = place.split('.');
  for (const value of values) {
    const given = { headers: {}, ids: {}, key: {}, space: {}, [part]: { [name]: value } };
    const { send } = open([given.key], [{ visibility: 'private', ...otherSpace, ...given.space }], [{}]);
    const event = anEvent({ ...given.ids, headers: { 'x-user-id': 'ada', ...given.headers } });
    const changed = status === 200 ? [['handbook', FILE_ID]] : [];
    expect([value, await send(event)]).toEqual([value, [status, ...changed]]);
  }
});
