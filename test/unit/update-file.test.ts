import { ConditionalCheckFailedException, DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { expect, test } from 'vitest';
import { ApiError, InternalError } from '#lib/domain/errors.ts';
import { IncompleteResponseError } from '#lib/store/retry.ts';
import { createStore } from '#lib/store/update-file.ts';
import { aFile, aFileView, FILE_ID, FIRST_VERSION, firstWrite, NOW } from '#test/support/fixtures.ts';
import { createMockStore } from '#test/support/mock-store.ts';
import { tableNames, toClient } from '#test/support/simulated-tables.ts';
import { aRequestContext, createTestSystem, watch } from '#test/support/system.ts';

/*
 * What one update sends, and what it makes of a response. Which attempts and conflicts may follow each other, and what
 * the request may then claim, is in test/simulation.
 */
type FileUpdate = Parameters<ReturnType<typeof createMockStore>['updateFile']>[0];
const anUpdate = (overrides: Partial<FileUpdate> = {}): FileUpdate => ({
  spaceId: 'handbook',
  fileId: FILE_ID,
  patch: { summary: 'New.' },
  precondition: undefined,
  tenantId: 'acme',
  userId: 'grace',
  idempotencyKey: undefined,
  ...overrides,
});

const requestId = 'request-1-0000-0000-0000';
const base36 = (version: number) => version.toString(36);

/** The response that holds the file as our write leaves it, and what the operation makes of it. */
const applied = (version = FIRST_VERSION, more = {}) => ({
  Attributes: aFile({ summary: 'New.', ...firstWrite(version, requestId), updatedBy: 'grace', ...more }),
});
const updated = (version = FIRST_VERSION) => ({
  file: aFileView({ summary: 'New.' }),
  version,
  replayed: false,
});

/** The condition check failed on a record that another writer left with this version. */
const conflictWith = (version: number, more = {}): Error =>
  new ConditionalCheckFailedException({
    message: 'The conditional request failed',
    $metadata: {},
    Item: {
      ...marshall(aFile({ w1: `other..${base36(version)}`, ...more })),
      // The SDK does not marshall a number above 2^53 - 1. Another service can.
      version: { N: String(version) },
    },
  });
const serviceError = (message: string, name = 'ValidationException') =>
  new DynamoDBServiceException({ name, message, $fault: 'client', $metadata: {} });

/** Writes to a table that gives these replies in turn, the last one again and again. */
const write = async (replies: readonly object[], update = anUpdate()) => {
  const { inputs, updateFile } = createMockStore(replies);
  const context = aRequestContext({ requestId });
  const result = await updateFile(update, context).catch((error: unknown) => error);
  const { retries, conflicts, versionAheadMs } = context.logFields;
  return { result, inputs, stats: { retries, conflicts, versionAheadMs } };
};
const noStats = { retries: 0, conflicts: 0, versionAheadMs: 0 };

test('updates by one conditional UpdateItem, which keeps the last 8 writes, and returns the item that it left', async () => {
  const command = {
    TableName: 'Files',
    Key: { spaceId: 'handbook', fileId: FILE_ID },
    UpdateExpression:
      'SET w2 = if_not_exists(w1, :none), w3 = if_not_exists(w2, :none), w4 = if_not_exists(w3, :none), ' +
      'w5 = if_not_exists(w4, :none), w6 = if_not_exists(w5, :none), w7 = if_not_exists(w6, :none), ' +
      'w8 = if_not_exists(w7, :none), w1 = :write, #version = :version, updatedBy = :updatedBy, ' +
      '#field0 = :field0',
    ConditionExpression:
      'attribute_exists(#fileId) AND (attribute_not_exists(#version) OR #version < :version) AND ' +
      'NOT (begins_with(w1, :id) OR begins_with(w2, :id) OR ' +
      'begins_with(w3, :id) OR begins_with(w4, :id) OR ' +
      'begins_with(w5, :id) OR begins_with(w6, :id) OR ' +
      'begins_with(w7, :id) OR begins_with(w8, :id))',
    ExpressionAttributeNames: { '#fileId': 'fileId', '#version': 'version', '#field0': 'summary' },
    ExpressionAttributeValues: {
      ':version': FIRST_VERSION,
      ':none': '',
      ':id': 'request100000000.',
      ':write': `request100000000..${base36(FIRST_VERSION)}`,
      ':updatedBy': 'grace',
      ':field0': 'New.',
    },
    ReturnValues: 'ALL_NEW',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  };
  expect(await write([applied()])).toEqual({ result: updated(), inputs: [command], stats: noStats });
});

test('retries an UpdateItem response without Attributes, by the same command', async () => {
  const { result, inputs, stats } = await write([{}, applied()]);
  expect({ result, stats }).toEqual({ result: updated(), stats: { ...noStats, retries: 1 } });
  expect(inputs).toEqual([inputs[0], inputs[0]]);
  const cause = new IncompleteResponseError('UpdateItem without Attributes');
  const error = new ApiError('unavailable', { reason: 'retry budget used up', cause });
  expect((await write([{}])).result).toEqual(error);
});

const foreignFile = new InternalError('update: the response holds a file that was not requested');
const foreignWrite = new InternalError('update: the response is of another write');
const tooLarge = new ApiError('file-too-large', { reason: 'item would exceed 400 KB' });
const keySize = serviceError('Size of hashkey has exceeded the maximum size limit of 2048 bytes');
const otherSize = serviceError('Item size limit', 'ItemCollectionSizeLimitExceededException');
const otherError = Object.assign(new Error('Item size'), { name: 'ValidationException' });
test.each([
  ['the item of another file', applied(FIRST_VERSION, { fileId: 'other' }), foreignFile],
  ['the item of another space', applied(FIRST_VERSION, { spaceId: 'other' }), foreignFile],
  [
    'the item of another write',
    applied(FIRST_VERSION, { w1: `other..${base36(FIRST_VERSION)}` }),
    foreignWrite,
  ],
  ['the item of no write', { Attributes: aFile() }, foreignWrite],
  ['the size of the item', serviceError('Item size to update has exceeded the maximum'), tooLarge],
  ['an error about another size', keySize, keySize],
  ['an error of another name', otherSize, otherSize],
  ['an error that is not from DynamoDB', otherError, otherError],
])('throws for %s, and sends nothing again', async (_, reply, error) => {
  const { inputs, ...rest } = await write([reply]);
  expect({ ...rest, sent: inputs.length }).toEqual({ result: error, stats: noStats, sent: 1 });
});

// If these hashes change, a request that is repeated during a deployment is not recognized.
const keyed = anUpdate({ idempotencyKey: 'key' });
const entry = (version: number, payloadHash = 'Nt7OYqmsWse') =>
  `cOVhygGodmZ.${payloadHash}.${base36(version)}`;
test('a write with an idempotency key leaves its hash, the hash of the patch, and the version', async () => {
  const reply = { Attributes: aFile({ summary: 'New.', version: FIRST_VERSION, w1: entry(FIRST_VERSION) }) };
  expect(await write([reply], keyed)).toMatchObject({
    result: updated(),
    inputs: [
      {
        ExpressionAttributeValues: { ':id': 'cOVhygGodmZ.', ':write': entry(FIRST_VERSION) },
      },
    ],
  });
});

const query = { apiKey: 'editor-key', tenantId: 'acme', spaceId: 'handbook' };
test.each<[string, (store: ReturnType<typeof createStore>) => Promise<unknown>]>([
  ['read', (store) => store.readAccess(query, aRequestContext())],
  ['write', (store) => store.updateFile(anUpdate(), aRequestContext({ requestId }))],
])('a %s is aborted when the time of its attempt is over', async (_, call) => {
  const signals: (AbortSignal | undefined)[] = [];
  const client = toClient((_command, signal) => {
    signals.push(signal);
    return new Promise(() => undefined);
  });
  const system = createTestSystem();
  watch(call(createStore({ ...tableNames, client }, system)));
  await system.advance(699);
  expect(signals.map((signal) => signal?.aborted)).toEqual([false]);
  await system.advance(1);
  expect(signals.map((signal) => signal?.aborted)).toEqual([true, false]);
});

test('gives a write up after 20 conflicts, with 19 waits between them, which get longer', async () => {
  const { updateFile, system, inputs } = createMockStore([conflictWith(FIRST_VERSION)], {
    random: () => 1,
  });
  const context = aRequestContext({ requestId });
  const result = watch(updateFile(anUpdate(), context));
  const waits: (readonly number[])[] = [];
  for (const ms of [0, 1, 2, 4, 8, 16, 32]) {
    await system.advance(ms);
    waits.push(system.timers());
  }
  expect(waits).toEqual([[1], [2], [4], [8], [16], [32], [50]]);
  // It does not wait after the last one.
  await system.advance(13 * 50);
  const reason = 'other writers were faster each time';
  expect([result(), inputs.length]).toEqual([{ error: new ApiError('unavailable', { reason }) }, 20]);
  expect(context.logFields).toEqual({ ...noStats, call: 'update', conflicts: 20 });
});

test.each([
  [60_000, 0],
  [60_001, 60_001],
])('logs how far the stored version is ahead, if it is %i ms: %i', async (ms, versionAheadMs) => {
  const ahead = (NOW + ms) * 1000;
  expect(await write([conflictWith(ahead), applied(ahead + 1)])).toMatchObject({
    result: updated(ahead + 1),
    stats: { retries: 0, conflicts: 1, versionAheadMs },
  });
});

const later = FIRST_VERSION + 7;
const YEAR_MS = 365 * 24 * 3_600_000;
test.each<[string, [now: number, stored?: number][], number[]]>([
  ['is the time', [[NOW]], [FIRST_VERSION]],
  ['is the time, also of two files in one millisecond', [[NOW], [NOW]], [FIRST_VERSION, FIRST_VERSION]],
  [
    'follows a clock that was set back',
    [[NOW + YEAR_MS], [NOW]],
    [FIRST_VERSION + YEAR_MS * 1000, FIRST_VERSION],
  ],
  ['is above the stored one', [[NOW, FIRST_VERSION]], [FIRST_VERSION, FIRST_VERSION + 1]],
  ['is the time again for the next file', [[NOW, later], [NOW]], [FIRST_VERSION, later + 1, FIRST_VERSION]],
  ['is the time if that is above the stored one', [[NOW, 5]], [FIRST_VERSION, FIRST_VERSION]],
])('the version of a write %s', async (_, updates, versions) => {
  const replies = updates.flatMap(([, stored]) =>
    stored === undefined ? [applied()] : [conflictWith(stored), applied()],
  );
  let time = 0;
  const { inputs, updateFile } = createMockStore(replies, { now: () => time });
  for (const [now] of updates) {
    time = now;
    await updateFile(anUpdate(), aRequestContext({ requestId }));
  }
  const sent = inputs.map((input) => Object(input).ExpressionAttributeValues[':version']);
  expect(sent).toEqual(versions);
});

const tooBig = new InternalError('file record does not fit: version: too_big');
test.each([
  ['is raised once more', 2 ** 53 - 2, updated(2 ** 53 - 1), 2],
  ['cannot be raised', 2 ** 53 - 1, tooBig, 1],
  ['is no safe integer', 2 ** 53, tooBig, 1],
])('a stored version near 2^53 %s: %i', async (_, version, result, writes) => {
  const { inputs, ...rest } = await write([conflictWith(version), applied(2 ** 53 - 1)]);
  expect([rest.result, inputs.length]).toEqual([result, writes]);
});
