import { ConditionalCheckFailedException, DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { describe, expect, test } from 'vitest';
import { ApiError, InternalError } from '#lib/domain/errors.ts';
import { createVersionClock } from '#lib/store/update-file.ts';
import { aRequestContext } from '#test/support/environment.ts';
import { aFile, aFileView, FILE_ID, FIRST_VERSION, NOW } from '#test/support/given.ts';
import { createMockStore } from '#test/support/mock-store.ts';

type FileUpdate = Parameters<ReturnType<typeof createMockStore>['updateFile']>[0];
const anUpdate = (overrides: Partial<FileUpdate> = {}): FileUpdate => ({
  spaceId: 'handbook',
  fileId: FILE_ID,
  patch: { summary: 'New.' },
  precondition: { kind: 'none' },
  updatedBy: 'grace',
  ...overrides,
});
const ifMatch = (...versions: readonly number[]) =>
  anUpdate({ precondition: { kind: 'versions', versions } });

const input = {
  TableName: 'Files',
  Key: { spaceId: 'handbook', fileId: FILE_ID },
  UpdateExpression:
    'SET #version = :version, #requestId = :requestId, #updatedBy = :updatedBy, #summary = :summary',
  ConditionExpression:
    'attribute_exists(#fileId) AND (attribute_not_exists(#version) OR #version < :version)',
  ExpressionAttributeNames: {
    '#fileId': 'fileId',
    '#version': 'version',
    '#requestId': 'requestId',
    '#updatedBy': 'updatedBy',
    '#summary': 'summary',
  },
  ExpressionAttributeValues: {
    ':version': FIRST_VERSION,
    ':requestId': 'request-1',
    ':updatedBy': 'grace',
    ':summary': 'New.',
  },
  ReturnValues: 'ALL_NEW',
  ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
};

/** The file as our write leaves it, the response that holds it, and what the operation makes of it. */
const writtenFile = (version = FIRST_VERSION) =>
  aFile({ summary: 'New.', version, requestId: 'request-1', updatedBy: 'grace' });
const applied = (version = FIRST_VERSION) => ({ Attributes: writtenFile(version) });
const updated = (version = FIRST_VERSION) => ({ file: aFileView({ summary: 'New.' }), version });

/** The condition check failed on this record, or because there is none. */
const rejectedBy = (record?: object): Error =>
  new ConditionalCheckFailedException({
    message: 'The conditional request failed',
    $metadata: {},
    ...(record && { Item: marshall(record) }),
  });
const otherFile = (version: number) => aFile({ version, requestId: 'other' });
const serviceError = (message: string, name = 'ValidationException') =>
  new DynamoDBServiceException({ name, message, $fault: 'client', $metadata: {} });
const tooLarge = serviceError('Item size to update has exceeded the maximum allowed size');
const throttled = serviceError('Rate exceeded', 'ThrottlingException');
const lost = Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });

/** Writes to a table that gives these replies in turn, the last one again and again. */
const write = async (replies: readonly object[], update = anUpdate()) => {
  const { inputs, updateFile } = createMockStore(replies);
  const context = aRequestContext();
  const result = await updateFile(update, context).catch((error: unknown) => error);
  return { result, inputs: inputs(), stats: context.retryStats };
};
const noStats = { retries: 0, conflicts: 0, versionAheadMs: 0 };

test('an update is one conditional UpdateItem, and its result is the item that this write left', async () => {
  expect(await write([applied()])).toEqual({ result: updated(), inputs: [input], stats: noStats });
});

test('a response without the item is none, and the same write is sent again', async () => {
  const stats = { ...noStats, retries: 1 };
  expect(await write([{}, applied()])).toEqual({ result: updated(), inputs: [input, input], stats });
});

test.each(['', 'é'.repeat(513), '\ud800'])(
  'a file id that no table could hold is not sent: %.5j',
  async (fileId) => {
    const { result, inputs } = await write([applied()], anUpdate({ fileId }));
    const reason = 'file id is one that no table could hold';
    expect([result, inputs]).toEqual([new ApiError('file-not-found', { reason }), []]);
  },
);

const foreignFile = new InternalError('update: the response holds a file that was not requested');
const foreignWrite = new InternalError('update: the response is of another write');
const keySize = serviceError('Size of hashkey has exceeded the maximum size limit of 2048 bytes');
const otherSize = serviceError('Item size limit', 'ItemCollectionSizeLimitExceededException');
const otherError = Object.assign(new Error('Item size'), { name: 'ValidationException' });
test.each([
  ['the item of another file', { Attributes: { ...writtenFile(), fileId: 'other' } }, foreignFile],
  ['the item of another space', { Attributes: { ...writtenFile(), spaceId: 'other' } }, foreignFile],
  ['the item of another write', { Attributes: { ...writtenFile(), requestId: 'other' } }, foreignWrite],
  ['the item of no write', { Attributes: aFile() }, foreignWrite],
  ['an error about another size', keySize, keySize],
  ['an error of another name', otherSize, otherSize],
  ['an error that is not from DynamoDB', otherError, otherError],
])('%s is an error, and nothing is sent again', async (_, reply, error) => {
  expect(await write([reply])).toEqual({ result: error, inputs: [input], stats: noStats });
});

describe('a rejected write', () => {
  const unreadable = anUpdate({ precondition: { kind: 'unreadable' } });
  const changed = (version: number) =>
    new ApiError('file-changed', { reason: 'If-Match does not match', version });
  const rejections: readonly [string, Error, FileUpdate, ApiError][] = [
    [
      'no file',
      rejectedBy(),
      anUpdate(),
      new ApiError('file-not-found', { reason: 'space has no such file' }),
    ],
    ['If-Match', rejectedBy(otherFile(7)), ifMatch(5), changed(7)],
    ['If-Match, first version', rejectedBy(aFile()), ifMatch(5), changed(0)],
    [
      'unreadable',
      rejectedBy(otherFile(7)),
      unreadable,
      new ApiError('if-match-invalid', { reason: 'If-Match is unreadable' }),
    ],
    ['size', tooLarge, anUpdate(), new ApiError('file-too-large', { reason: 'item would exceed 400 KB' })],
  ];
  const unclear = new ApiError('unavailable', { reason: 'rejected after an attempt with unknown outcome' });

  test.each(rejections)('has no effect: %s', async (_, rejection, update, error) => {
    expect((await write([rejection], update)).result).toEqual(error);
    expect((await write([throttled, rejection], update)).result).toEqual(error);
  });

  test.each([...rejections, ['conflict', rejectedBy(otherFile(FIRST_VERSION + 1)), anUpdate(), unclear]])(
    'may have had effect after a lost response, and is not sent again: %s',
    async (_, rejection, update) => {
      const { result, inputs } = await write([lost, rejection, applied()], update);
      expect([result, inputs.length]).toEqual([unclear, 2]);
      expect((await write([lost, throttled, rejection], update)).result).toEqual(unclear);
    },
  );

  test.each([anUpdate(), ifMatch(5), unreadable])(
    'succeeds if its own request id is stored (%#)',
    async (update) => {
      const { result, stats } = await write([lost, rejectedBy(writtenFile())], update);
      expect([result, stats]).toEqual([updated(), { ...noStats, retries: 1 }]);
    },
  );

  const stored = FIRST_VERSION + 5;
  test.each([anUpdate(), ifMatch(4, stored)])(
    'is sent with the next version after a conflict (%#)',
    async (update) => {
      const { result, inputs, stats } = await write(
        [rejectedBy(otherFile(stored)), applied(stored + 1)],
        update,
      );
      expect([result, stats]).toEqual([updated(stored + 1), { ...noStats, conflicts: 1 }]);
      expect(inputs).toMatchObject(
        [FIRST_VERSION, stored + 1].map((v) => ({ ExpressionAttributeValues: { ':version': v } })),
      );
    },
  );

  test('is given up after 20 conflicts, with longer waits between them', async () => {
    const conflict = rejectedBy(otherFile(FIRST_VERSION));
    const { updateFile, environment, inputs } = createMockStore([conflict], { random: () => 1 });
    const context = aRequestContext();
    const result = updateFile(anUpdate(), context).catch((error: unknown) => error);
    const waits: (readonly number[])[] = [];
    for (const ms of [0, 1, 2, 4, 8, 16, 32]) {
      await environment.advance(ms);
      waits.push(environment.timers());
    }
    expect(waits).toEqual([[1], [2], [4], [8], [16], [32], [50]]);
    await environment.advance(1_000);
    const reason = 'other writers were faster 20 times';
    expect([await result, inputs().length]).toEqual([new ApiError('unavailable', { reason }), 20]);
    expect(context.retryStats).toEqual({ ...noStats, conflicts: 20 });
  });

  test.each([
    [60_000, 0],
    [60_001, 60_001],
  ])('tells the log of a stored version that is %i ms ahead: %i', async (ms, versionAheadMs) => {
    const ahead = (NOW + ms) * 1000;
    const { stats } = await write([rejectedBy(otherFile(ahead)), applied(ahead + 1)]);
    expect(stats).toEqual({ retries: 0, conflicts: 1, versionAheadMs });
  });
});

test('the condition of a dry run holds for no item', async () => {
  const { inputs, dryRunWrite } = createMockStore([new Error('aborted')]);
  await expect(dryRunWrite({ summary: '-' })).rejects.toThrow('aborted');
  expect(inputs()).toEqual([
    {
      ...input,
      Key: { spaceId: '-', fileId: '-' },
      ConditionExpression: `${input.ConditionExpression} AND attribute_not_exists(#fileId)`,
      ExpressionAttributeValues: { ':version': 0, ':requestId': '-', ':updatedBy': '-', ':summary': '-' },
    },
  ]);
});

const year = 365 * 24 * 3_600_000;
test.each([
  ['counts within one millisecond', [[1], [1], [1], [2]], [1_000, 1_001, 1_002, 2_000]],
  ['is above the stored version, for this record only', [[1, 9_000], [1]], [9_001, 1_001]],
  ['repeats no version when the clock is corrected', [[2_000], [1_000]], [2_000_000, 2_000_001]],
  ['does not keep a jump of the clock', [[NOW + year], [NOW]], [(NOW + year) * 1000, NOW * 1000]],
  ['follows a clock that was set back', [[2_001], [1_000], [1_000]], [2_001_000, 1_000_000, 1_000_001]],
] as const)('the version clock %s', (_, readings, versions) => {
  let now = 0;
  const nextVersion = createVersionClock(() => now);
  const actual = readings.map(([time, storedVersion = 0]) => {
    now = time;
    return nextVersion(storedVersion);
  });
  expect(actual).toEqual(versions);
});
