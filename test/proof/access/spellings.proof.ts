import { beforeEach, expect, test } from 'vitest';
import { replayCommand, report } from '#test/proof/support/run.ts';
import { anEvent } from '#test/support/event.ts';
import { aFile, anApiKey, aSpace, NOW } from '#test/support/given.ts';
import { startService } from '#test/support/service.ts';
import { type Item, sha256 } from './engines/backend.ts';
import { differencesBetween } from './engines/differences.ts';
import { openMemoryTables } from './engines/memory-tables.ts';
import { recorded } from './engines/recorder.ts';

const replay = `Replay with: ${replayCommand('test/proof/access/spellings.proof.ts')}`;

/** What looks like a word and is not: letter case, space, other scripts, forms of Unicode, parts, wholes of more. */
const lookalikes = (word: string): readonly string[] =>
  [
    word.toUpperCase() === word ? word.toLowerCase() : word.toUpperCase(),
    `${word}x`,
    `${word}.`,
    `x${word}`,
    ...[word.slice(0, -1), word.slice(1)],
    word.replace('a', 'а'),
    word.replace('a', 'a\u0301'),
    word.replace('a', 'á'),
    String.fromCodePoint(...[...word].map((letter) => (letter.codePointAt(0) ?? 0) + 0xfee0)),
    encodeURIComponent(word).replace('a', '%61'),
  ].filter((other) => other !== word);

let tables = recorded(openMemoryTables());
let tried = 0;
beforeEach(async () => {
  tables = recorded(openMemoryTables());
  await put({});
});

/** A good key, a private space of ada's, its file; changed by what a test wants. */
const put = async ({ key = {}, space = {} }: { key?: Item; space?: Item }) => {
  const { key: _, ...record } = anApiKey(key);
  await tables.put('apiKeys', { keyHash: sha256('editor-key'), ...record });
  await tables.put('spaces', aSpace({ visibility: 'private', ...space }));
  await tables.put('files', aFile());
};

/** The status of a request of ada's. One that is not 200 must have left everything as it was. */
const send = async (headers: Record<string, string> = {}, path: Record<string, string> = {}) => {
  tried += 1;
  const before = await tables.everything();
  const event = anEvent({ ...path, headers: { 'x-user-id': 'ada', ...headers } });
  const { statusCode } = await startService(tables).send(event);
  const changed = differencesBetween(before, await tables.everything());
  expect(changed.length, replay).toBe(statusCode === 200 ? 1 : 0);
  return statusCode;
};

const expectStatus = async (status: number, of: unknown, ...sent: Parameters<typeof send>) =>
  expect([of, await send(...sent)], replay).toEqual([of, status]);

test('only the very same ids, scope and role count', async () => {
  await expectStatus(200, 'the fixture');
  for (const user of lookalikes('ada')) await expectStatus(403, user, { 'x-user-id': user });
  for (const tenant of lookalikes('acme')) await expectStatus(403, tenant, { 'x-tenant-id': tenant });
  for (const spaceId of lookalikes('handbook')) await expectStatus(404, spaceId, {}, { spaceId });
  for (const fileId of lookalikes(aFile().fileId)) await expectStatus(404, fileId, {}, { fileId });
  for (const key of lookalikes('editor-key')) await expectStatus(401, key, { 'x-api-key': key });
  for (const scope of [...lookalikes('PRODUCT'), 'PRODUCT,PRODUCT', 'PRODUCT ', '', '*']) {
    await put({ key: { scope } });
    await expectStatus(403, scope);
  }
  for (const role of [...lookalikes('editor'), ...lookalikes('admin'), '*', '', '__proto__', 'toString']) {
    await put({ key: { roles: [role, 'viewer'] } });
    await expectStatus(403, role);
  }
});

test('whatever is not exactly public is entered by its owner alone, who is a string', async () => {
  const visibilities = [
    'public',
    'private',
    ...lookalikes('public'),
    '',
    ' public',
    null,
    true,
    1,
    ['public'],
    {},
  ];
  const owners = ['ada', 'grace', ...lookalikes('ada'), '', ' ada', null, true, 0, ['ada'], { ada: 1 }];
  for (const visibility of visibilities)
    for (const ownerId of owners) {
      await put({ space: { visibility, ownerId } });
      const allowed = visibility === 'public' || ownerId === 'ada';
      await expectStatus(allowed ? 200 : 403, [visibility, ownerId]);
    }
});

test('a key is void once it is revoked in any form, and from the very millisecond it expires', async () => {
  for (const revokedAt of [0, 1, NOW / 1000 + 1000, '', 'no', null, false, []]) {
    await put({ key: { revokedAt } });
    await expectStatus(401, revokedAt);
  }
  for (const early of [-1, 0, 1]) {
    await put({ key: { expiresAt: (NOW + early) / 1000 } });
    await expectStatus(early > 0 ? 200 : 401, early);
  }
});

test('a key record that is broken opens nothing', async () => {
  const broken: readonly Item[] = [
    ...[null, 7, ['PRODUCT']].map((scope) => ({ scope })),
    ...[null, 'editor', { 0: 'editor' }, [7], ['editor', null]].map((roles) => ({ roles })),
    ...[null, ['acme'], 7].map((tenantId) => ({ tenantId })),
    ...[null, 'never', '9999999999', []].map((expiresAt) => ({ expiresAt })),
  ];
  for (const key of broken) {
    await put({ key });
    await expectStatus(500, key);
  }
  report('spellings and broken records', { cases: tried, differences: 0 });
});
