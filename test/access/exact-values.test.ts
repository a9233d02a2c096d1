import { expect, test } from 'vitest';
import { roles } from '#lib/domain/api-key.ts';
import { createTables, type Item } from '#test/simulation/tables.ts';
import { anEvent } from '#test/support/event.ts';
import { aBasicFile, aSpace, FILE_ID, NOW } from '#test/support/given.ts';
import { apiKeyRecord, startService } from './service.ts';

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
    const [tables, file] = [createTables(), aBasicFile()];
    tables.put('apiKeys', apiKeyRecord(given.key));
    tables.put('spaces', aSpace({ visibility: 'private', ...otherSpace, ...given.space }));
    tables.put('files', file);
    const event = anEvent({ ...given.ids, headers: { 'x-user-id': 'ada', ...given.headers } });
    const { response } = await startService(tables)(event);
    const isChanged = tables.get('files', file) !== file;
    expect([value, response.statusCode, isChanged]).toEqual([value, status, status === 200]);
  }
});

test('a key can have these roles', () => {
  expect(roles).toEqual(['admin', 'editor', 'viewer']);
});
