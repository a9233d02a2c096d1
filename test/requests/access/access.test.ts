import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { roles, updateFiles } from '#lib/domain/api-key.ts';
import { RECENT_WRITE_ATTRIBUTES } from '#lib/store/recent-writes.ts';
import { anEvent } from '#test/support/event.ts';
import {
  API_KEY,
  aBasicFile,
  aBasicFileView,
  apiKeyRecord,
  aSpace,
  FILE_ID,
  firstWrite,
  NOW,
  without,
} from '#test/support/fixtures.ts';
import { limitOf } from '#test/support/runs.ts';
import { type Exchange, service } from '#test/support/service.ts';
import { type Item, simulateTables } from '#test/support/simulated-tables.ts';
import {
  type Combination,
  combinations,
  expectedOutcome,
  fileIds,
  issuedKeys,
  spaceIds,
  spaces,
} from './oracle.ts';

/** Every record that a combination can name. JSON leaves out an attribute that is undefined. */
const createRecords = () => {
  const tables = simulateTables();
  for (const { state, sent, ...record } of issuedKeys) {
    const revokedAt = state === 'revoked' ? NOW / 1000 + 1000 : undefined;
    // To the second: the key is invalid from this very moment on.
    const expiresAt = state === 'expired' ? NOW / 1000 : undefined;
    const key = apiKeyRecord({ key: sent, ...record, revokedAt, expiresAt });
    tables.put('apiKeys', JSON.parse(JSON.stringify(key)));
  }
  for (const space of spaces) tables.put('spaces', JSON.parse(JSON.stringify(aSpace(space))));
  for (const spaceId of spaceIds) tables.put('files', aBasicFile({ spaceId, fileId: fileIds.common }));
  tables.put('files', aBasicFile({ spaceId: 'elsewhere', fileId: fileIds.other }));
  return tables;
};

const eventOf = ({ key, tenant, user, spaceId, isPatch, fileId }: Combination) =>
  anEvent({
    headers: { 'x-api-key': key.sent, 'x-tenant-id': tenant, 'x-user-id': user },
    spaceId,
    fileId,
    body: isPatch ? '{"summary":"New."}' : '{"id":"x"}',
  });

/** What a call does, and the keys of its items. */
const describeCall = (call: Exchange['calls'][number]): unknown => {
  if ('Key' in call) return ['update', call.Key];
  const reads = Object.values(call.RequestItems ?? {});
  const isConsistent = reads.every(({ ConsistentRead }) => ConsistentRead);
  return [isConsistent ? 'read' : 'read, not consistent', ...reads.flatMap(({ Keys }) => Keys)];
};

/** The response body and the changed records that a combination must lead to. */
const expectedEffect = (
  { spaceId, user }: Combination,
  message: string | undefined,
  { etag = '', 'x-request-id': requestId }: Readonly<Record<string, string>>,
) => {
  if (message !== undefined) return { body: { message }, changed: [] };
  const file = aBasicFile({ spaceId, fileId: fileIds.common, summary: 'New.' });
  const version = Number(etag.slice(1, -1));
  const { w1 } = firstWrite(version, requestId);
  const metadata = { version, w1, updatedBy: user };
  const body = aBasicFileView({ id: fileIds.common, summary: 'New.' });
  return { body, changed: [{ ...file, ...metadata }] };
};

test('every combination of key, tenant, user, space and file gets the response of the contract', {
  timeout: limitOf(300_000),
}, async () => {
  const tables = createRecords();
  const { send } = service({ tables });
  const errors = new Map<string, Set<string>>();
  let before = Object.values(tables.records());
  for (const combination of combinations) {
    const { response, calls, records } = await send(eventOf(combination));
    const after = Object.values(records);
    const { message, ...outcome } = expectedOutcome(combination);
    const effect = expectedEffect(combination, message, response.headers);
    const expected = { ...outcome, count: before.length, ...effect };
    const changed = after
      .filter((item, index) => item !== before[index])
      .map((item) => without(item, ...RECENT_WRITE_ATTRIBUTES.slice(1)));
    const body = JSON.parse(response.body);
    const actual = {
      status: response.statusCode,
      calls: calls.map(describeCall),
      count: after.length,
      body,
      changed,
    };
    if (!isDeepStrictEqual(actual, expected))
      expect({ combination, ...actual }).toEqual({ combination, ...expected });
    before = after;
    if (message === undefined) continue;
    const { 'x-request-id': _, ...headers } = response.headers;
    const bytes = errors.get(message) ?? new Set();
    errors.set(message, bytes.add(JSON.stringify([headers, response.body])));
  }
  // But for its x-request-id, one error of the contract is the same bytes whatever caused it: nothing can be found out by comparing.
  expect(Object.fromEntries([...errors].map(([message, bytes]) => [message, bytes.size]))).toEqual({
    'x-user-id is required': 1,
    'x-tenant-id is required': 1,
    'x-tenant-id must be 1 to 128 characters of printable ASCII without a space or comma': 1,
    'Invalid API Key': 1,
    'API Key does not have permission to access this resource': 1,
    'Field "id" is not editable': 1,
    'Space not found': 1,
    'File not found': 1,
    'Internal Server Error': 1,
  });
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

const isAscii = (text: string) => /^[!-~]*$/.test(text);
const isNotAscii = (text: string) => !isAscii(text);

/** A request of ada for her private space, with one value put in: its place, its values, their status. */
type Row = [place: string, values: readonly unknown[], status: number, space?: Item];
const rows: readonly Row[] = [
  ['headers.x-user-id', ['ada'], 200],
  ['headers.x-user-id', lookalikes('ada').filter(isAscii), 403],
  ['headers.x-user-id', lookalikes('ada').filter(isNotAscii), 400],
  ['headers.x-tenant-id', lookalikes('acme').filter(isAscii), 403],
  ['headers.x-tenant-id', lookalikes('acme').filter(isNotAscii), 400],
  ['headers.x-api-key', lookalikes(API_KEY), 401],
  ['ids.spaceId', lookalikes('handbook'), 404],
  ['ids.fileId', lookalikes(FILE_ID), 404],
  ['key.scope', [...lookalikes('PRODUCT'), 'PRODUCT ', '', '*'], 403],
  ['key.scope', [null, 7, ['PRODUCT']], 500],
  ['key.roles', wrongRoles.map((role) => [role]), 403],
  ['key.roles', [null, 'editor', { 0: 'editor' }, [7], ['editor', null]], 500],
  ['key.tenantId', [null, 7, ['acme']], 500],
  ['key.revokedAt', [1, NOW / 1000 + 1000, 'no', ...odd], 401],
  ['key.expiresAt', [(NOW - 1) / 1000, NOW / 1000], 401],
  ['key.expiresAt', [(NOW + 1) / 1000, 253_402_300_799], 200],
  // What is no time in seconds is no end: the last three are in milliseconds, or beyond the year 9999.
  ['key.expiresAt', [null, '9999999999', [], NOW, NOW + 1, 253_402_300_800], 500],
  ['space.ownerId', [...lookalikes('ada'), 'grace', ['ada'], ...odd], 403],
  ['space.visibility', [...lookalikes('public'), ...odd], 200],
  ['space.visibility', [...lookalikes('public'), ['public'], ...odd], 403, { ownerId: 'grace' }],
];

test.each<Row>(rows)('only exact values of %s grant access', async (place, values, status, otherSpace) => {
  const [part = '', name = ''] = place.split('.');
  for (const value of values) {
    const changes = { headers: {}, ids: {}, key: {}, space: {}, [part]: { [name]: value } };
    const [tables, file] = [simulateTables(), aBasicFile()];
    tables.put('apiKeys', apiKeyRecord(changes.key));
    tables.put('spaces', aSpace({ visibility: 'private', ...otherSpace, ...changes.space }));
    tables.put('files', file);
    const event = anEvent({ ...changes.ids, headers: { 'x-user-id': 'ada', ...changes.headers } });
    const { response } = await service({ tables }).send(event);
    const isChanged = tables.get('files', file) !== file;
    expect([value, response.statusCode, isChanged]).toEqual([value, status, status === 200]);
  }
});

test.each(roles)('the role %s may update only if files:update names it', async (role) => {
  const [tables, file] = [simulateTables(), aBasicFile()];
  tables.put('apiKeys', apiKeyRecord({ roles: [role] }));
  tables.put('spaces', aSpace());
  tables.put('files', file);
  const { response } = await service({ tables }).send();
  const mayUpdate = updateFiles.roles.includes(role);
  const isChanged = tables.get('files', file) !== file;
  expect([response.statusCode, isChanged]).toEqual([mayUpdate ? 200 : 403, mayUpdate]);
});
