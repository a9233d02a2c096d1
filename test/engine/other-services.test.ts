import { DeleteCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { MIN_FREE_BYTES, RECENT_WRITES } from '#lib/store/recent-writes.ts';
import { createStore } from '#lib/store/update-file.ts';
import { aFile, NOW } from '#test/support/fixtures.ts';
import { partOf } from '#test/support/pages.ts';
import { aRequestContext, createTestSystem } from '#test/support/system.ts';
import { openTables } from '#test/support/tables.ts';

/*
 * Another service that creates, changes, deletes and repairs files beside this service, by the conditions of docs/tables.md,
 * word for word. A row is a history of one file: what each of them sends, in order, and what comes of it. A call that stands
 * there twice is one whose copy arrives late, or whose response was lost.
 */
const onPage = (pattern: RegExp, part: string) =>
  partOf('docs/tables.md', pattern, part).replaceAll(/\s+/g, ' ');
const conditionOfCreation = onPage(/put with the condition `(.+?)`/s, 'the condition of a creation');
const conditionOfChange = onPage(/The condition is `(.+?)`/s, 'the condition of a change');
const ofVersion = onPage(/`version` that you read: `(.+?)`, or/, 'the condition of a deletion');
const ofNoVersion = onPage(/`(.+?)` if it had none/, 'the condition of a deletion without a version');
const updateOfRepair = onPage(/--update-expression '(SET version = .+?)'/, 'the update of a repair');
const conditionOfRepair = onPage(/--condition-expression '(version = .+?)'/, 'the condition of a repair');
const tables = await openTables('other-services');
const now = NOW * 1000;
const aDayAhead = now + 86_400_000_000;
const TableName = tables.config.filesTable;
const spaceId = 'handbook';
/** The same clock for all requests, so that the versions are known. Each request has an id of its own. */
const { updateFile } = createStore({ ...tables.config, client: tables.client }, createTestSystem());
let requests = 0;

/** Sends something about a file. Returns what comes of it. */
type Step = readonly [words: string, send: (fileId: string) => Promise<unknown>];
const rejected = (error: Error) => {
  if (error.name === 'ConditionalCheckFailedException') return 'rejected';
  throw error;
};

/** By the service that creates files. Without a version, the file has none. */
const create = (version?: number, condition = conditionOfCreation): Step => [
  `create ${version}`,
  (fileId) => {
    const Item = aFile({ fileId, ...(version !== undefined && { version }) });
    const options = condition && { ConditionExpression: condition };
    return tables.client.send(new PutCommand({ TableName, Item, ...options })).then(() => 'done', rejected);
  },
];
const replaceBlindly = (version: number): Step => create(version, '');
const change = (version: number, language = 'fr'): Step => [
  `change ${version}`,
  (fileId) => {
    const command = new UpdateCommand({
      TableName,
      Key: { spaceId, fileId },
      UpdateExpression: 'SET #language = :language, version = :version',
      ConditionExpression: conditionOfChange,
      ExpressionAttributeNames: { '#language': 'language' },
      ExpressionAttributeValues: { ':language': language, ':version': version },
    });
    return tables.client.send(command).then(() => 'done', rejected);
  },
];
/** Under the condition that the file has the version that was read, if any. */
const remove = (version?: number): Step => [
  `remove ${version}`,
  (fileId) => {
    const condition =
      version === undefined
        ? { ConditionExpression: ofNoVersion }
        : { ConditionExpression: ofVersion, ExpressionAttributeValues: { ':version': version } };
    const command = new DeleteCommand({ TableName, Key: { spaceId, fileId }, ...condition });
    return tables.client.send(command).then(() => 'done', rejected);
  },
];
/** Replaces a version that blocks the file, by hand. */
const repair = (wrong: number): Step => [
  `repair ${wrong}`,
  (fileId) => {
    const command = new UpdateCommand({
      TableName,
      Key: { spaceId, fileId },
      UpdateExpression: updateOfRepair,
      ConditionExpression: conditionOfRepair,
      ExpressionAttributeValues: { ':now': now, ':wrong': wrong },
    });
    return tables.client.send(command).then(() => 'done', rejected);
  },
];
/** By this service. Gives the version of the response, or what is wrong. */
const update = (precondition?: readonly number[], idempotencyKey?: string): Step => [
  `update ${precondition ?? ''}`,
  async (fileId) => {
    const request = { spaceId, fileId, tenantId: 'acme', userId: 'grace', idempotencyKey, precondition };
    const context = aRequestContext({ requestId: `request-${++requests}` });
    const sent = updateFile({ ...request, patch: { summary: 'New.' } }, context);
    return sent.then(
      ({ version, replayed }) => (replayed ? `replayed ${version}` : version),
      (error) => error.code ?? error.message,
    );
  },
];

test('a correction by hand has the condition of a change', () => {
  const byHand = onPage(/--condition-expression '(attribute_.+?)'/, 'the condition of a correction by hand');
  expect(byHand).toBe(conditionOfChange);
});

const past = now - 9;
const wrong = Number.MAX_SAFE_INTEGER;
const ours = { summary: 'New.' };
const theirs = { language: 'fr' };
type Row = readonly [
  name: string,
  history: readonly Step[],
  results: readonly unknown[],
  file: object | undefined,
];
test.each<Row>([
  // It is not locked out: the version is the greater of now and the one that it has read plus one. Our next update comes after it,
  // and an etag from before it no longer matches.
  ...[undefined, now - 1, aDayAhead].map((stored): Row => {
    const next = Math.max(now, (stored ?? 0) + 1);
    return [
      `a change of a file with version ${stored}`,
      [create(stored), change(next), update([stored ?? 0]), update([next])],
      ['done', 'done', 'file-changed', next + 1],
      { ...ours, ...theirs, version: next + 1 },
    ];
  }),
  [
    'a change with "now" alone after a clock was a day ahead',
    [create(aDayAhead), change(now)],
    ['done', 'rejected'],
    aFile({ version: aDayAhead }),
  ],
  [
    'a late copy of a creation',
    [create(past), update(undefined, 'key'), create(past), update(undefined, 'key')],
    ['done', now, 'rejected', `replayed ${now}`],
    { ...ours, version: now },
  ],
  // Without the condition, it erases the update, also what the file remembers.
  [
    'a late copy of a creation without its condition',
    [create(past), update(), replaceBlindly(past)],
    ['done', now, 'done'],
    aFile({ version: past }),
  ],
  ...[past, undefined].map(
    (version): Row => [
      `a late copy of a deletion of version ${version}`,
      [create(version), remove(version), create(now), remove(version)],
      ['done', 'done', 'done', 'rejected'],
      aFile({ version: now }),
    ],
  ),
  [
    'a late copy of a deletion finds no file',
    [create(now), remove(now), remove(now)],
    ['done', 'done', 'rejected'],
    undefined,
  ],
  [
    'a deletion that has not read an update',
    [create(past), update(), remove(past)],
    ['done', now, 'rejected'],
    { ...ours, version: now },
  ],
  // A change whose response was lost. Only with its version and its value in the file, it was made.
  [
    'a change that was made',
    [create(past), change(now - 5), change(now - 5)],
    ['done', 'done', 'rejected'],
    { ...theirs, version: now - 5 },
  ],
  [
    'a change that was made, and an update after it',
    [create(past), change(now - 5), update(), change(now - 5), change(now + 1)],
    ['done', 'done', now, 'rejected', 'done'],
    { ...ours, ...theirs, version: now + 1 },
  ],
  // Our update comes between, and computes the same version.
  ...[past, aDayAhead].map((stored): Row => {
    const next = Math.max(now, stored + 1);
    return [
      `a change that was not made, of version ${stored}`,
      [create(stored), update(), change(next, 'de'), change(next + 1)],
      ['done', next, 'rejected', 'done'],
      { ...ours, ...theirs, version: next + 1 },
    ];
  }),
  // A late copy of a repair does nothing, nor does one for another value.
  [
    'a repair of a version that blocks the file',
    [create(wrong), update(), repair(wrong), update(), ...[wrong, now, now + 2].map(repair)],
    [
      'done',
      'file record does not fit: version: too_big',
      'done',
      now + 1,
      'rejected',
      'rejected',
      'rejected',
    ],
    { ...ours, version: now + 1 },
  ],
])('%s', async (name, history, results, file) => {
  const fileId = name.replaceAll(' ', '-');
  const found: unknown[] = [];
  for (const [, send] of history) found.push(await send(fileId));
  expect(found, history.map(([words]) => words).join(', ')).toEqual(results);
  const stored = await tables.get('files', { spaceId, fileId });
  if (file === undefined) expect(stored).toBe(undefined);
  else expect(stored).toMatchObject({ ...file, fileId });
});

/** The bytes of an item of texts and numbers, at most (AWS, "DynamoDB item sizes and formats"). */
const bytesOf = (item: object) => Buffer.byteLength(Object.entries(item).flat().join(''));
test('what updates by the longest user id and keys add to a file fits into the bytes that it must leave free', async () => {
  const file = { spaceId, fileId: 'bytes', language: 'en', domain: 'hr', summary: 'Old.' };
  await tables.put('files', file);
  // One more than it remembers.
  for (let index = 0; index <= RECENT_WRITES; index += 1) {
    const ids = { tenantId: 'acme', userId: 'u'.repeat(128), idempotencyKey: `${index}`.padEnd(128, 'k') };
    const request = { spaceId, fileId: 'bytes', patch: { summary: 'New.' }, precondition: undefined };
    await updateFile({ ...request, ...ids }, aRequestContext());
  }
  const item = await tables.get('files', { spaceId, fileId: 'bytes' });
  const promise = `MIN_FREE_BYTES has room for ${RECENT_WRITES} remembered writes, version and updatedBy`;
  expect(bytesOf({ ...item }) - bytesOf(file), promise).toBeLessThanOrEqual(MIN_FREE_BYTES);
});

test('the stream has a record for each change', async () => {
  const fileId = 'stream';
  const steps = [
    create(past),
    update(undefined, 'a'),
    update(undefined, 'a'),
    update([past]),
    change(now + 1),
  ];
  for (const [, send] of [...steps, replaceBlindly(now), remove(now)]) await send(fileId);
  const ofFile = (await tables.changes()).filter(
    ({ before, after }) => (after ?? before)?.['fileId'] === fileId,
  );
  const seen = ofFile.map(({ before, after, record }) => {
    const isOurs = after !== undefined && after['w1'] !== before?.['w1'];
    return [record.eventName, after?.['version'], isOurs];
  });
  expect(seen).toEqual([
    ['INSERT', past, false],
    ['MODIFY', now, true],
    ['MODIFY', now + 1, false],
    // It has lost what the file remembers.
    ['MODIFY', now, true],
    ['REMOVE', undefined, false],
  ]);
});
