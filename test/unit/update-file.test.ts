import { ConditionalCheckFailedException, DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { describe, expect, test } from 'vitest';
import { ApiError, InternalError } from '#lib/domain/errors.ts';
import { createVersionClock } from '#lib/store/update-file.ts';
import { aRequestContext } from '#test/support/environment.ts';
import { aFile, aFileView, FILE_ID, FIRST_VERSION, NOW, without } from '#test/support/given.ts';
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
const ifMatch = anUpdate({ precondition: { kind: 'versions', versions: [5] } });

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
const stats = { retries: 0, conflicts: 0, versionAheadMs: 0 };

test('an update is one conditional UpdateItem, and its result is the item that this write left', async () => {
  expect(await write([applied()])).toEqual({ result: updated(), inputs: [input], stats });
});

test('a response without the item is none, and the same write is sent again', async () => {
  expect(await write([{}, applied()])).toEqual({
    result: updated(),
    inputs: [input, input],
    stats: { ...stats, retries: 1 },
  });
});

test.each([
  [{ ...writtenFile(), fileId: 'other' }, 'the response holds a file that was not requested'],
  [{ ...writtenFile(), spaceId: 'other' }, 'the response holds a file that was not requested'],
  [{ ...writtenFile(), requestId: 'other' }, 'the response is of another write'],
  [without(writtenFile(), 'requestId'), 'the response is of another write'],
])('a response with the item of another write is an internal error (%#)', async (Attributes, message) => {
  const { result } = await write([{ Attributes }]);
  expect(result).toEqual(new InternalError(`update: ${message}`));
});

test.each(['', 'é'.repeat(513), '\ud800'])(
  'a file id that no table could hold is not sent: %.5j',
  async (fileId) => {
    const { result, inputs } = await write([applied()], anUpdate({ fileId }));
    const reason = 'file id is one that no table could hold';
    expect([result, inputs]).toEqual([new ApiError('file-not-found', { reason }), []]);
  },
);

describe('a rejected write', () => {
  const unreadable = anUpdate({ precondition: { kind: 'unreadable' } });
  const notFound = new ApiError('file-not-found', { reason: 'space has no such file' });
  const changed = (version: number) =>
    new ApiError('file-changed', { reason: 'If-Match does not match', version });
  const invalid = new ApiError('if-match-invalid', { reason: 'If-Match is unreadable' });
  const outOfSpace = new ApiError('file-too-large', { reason: 'item would exceed 400 KB' });
  const unclear = new ApiError('unavailable', { reason: 'rejected after an attempt with unknown outcome' });
  const rejections: readonly [string, Error, FileUpdate, ApiError][] = [
    ['the file does not exist', rejectedBy(), anUpdate(), notFound],
    ['If-Match does not match', rejectedBy(otherFile(7)), ifMatch, changed(7)],
    ['If-Match does not match the first version', rejectedBy(aFile()), ifMatch, changed(0)],
    ['If-Match is unreadable', rejectedBy(otherFile(7)), unreadable, invalid],
    ['the item is too large', tooLarge, anUpdate(), outOfSpace],
  ];

  test.each(rejections)('has no effect: %s', async (_, rejection, update, error) => {
    expect((await write([rejection], update)).result).toEqual(error);
    expect((await write([throttled, rejection], update)).result).toEqual(error);
  });

  test.each([
    ...rejections,
    ['another write has replaced it', rejectedBy(otherFile(FIRST_VERSION + 1)), anUpdate(), unclear],
  ])(
    'may have taken effect after a lost response, and is not sent again: %s',
    async (_, rejection, update) => {
      const { result, inputs } = await write([lost, rejection, applied()], update);
      expect([result, inputs.length]).toEqual([unclear, 2]);
      expect((await write([lost, throttled, rejection], update)).result).toEqual(unclear);
    },
  );

  test.each([anUpdate(), ifMatch, unreadable])(
    'succeeds if the record has its request id (%#)',
    async (update) => {
      const found = rejectedBy(writtenFile());
      expect(await write([lost, found], update)).toMatchObject({
        result: updated(),
        stats: { ...stats, retries: 1 },
      });
    },
  );

  test('takes the next version after a conflict with another writer', async () => {
    const stored = FIRST_VERSION + 5;
    const second = { ...input.ExpressionAttributeValues, ':version': stored + 1 };
    expect(await write([rejectedBy(otherFile(stored)), applied(stored + 1)])).toEqual({
      result: updated(stored + 1),
      inputs: [input, { ...input, ExpressionAttributeValues: second }],
      stats: { ...stats, conflicts: 1 },
    });
  });

  test('gives up after 20 conflicts', async () => {
    const reason = 'other writers were faster 20 times';
    const { result, inputs, stats: counted } = await write([rejectedBy(otherFile(FIRST_VERSION))]);
    expect(result).toEqual(new ApiError('unavailable', { reason }));
    expect([inputs.length, counted]).toEqual([20, { ...stats, conflicts: 20 }]);
  });

  test('waits longer after each conflict, but less than after an error', async () => {
    const conflict = rejectedBy(otherFile(FIRST_VERSION));
    const { updateFile, environment } = createMockStore([conflict], { random: () => 1 });
    updateFile(anUpdate(), aRequestContext()).catch(() => undefined);
    const waits: (readonly number[])[] = [];
    for (const ms of [0, 1, 2, 4]) {
      await environment.advance(ms);
      waits.push(environment.timers());
    }
    expect(waits).toEqual([[1], [2], [4], [8]]);
  });

  test.each([
    [60_000, 0],
    [60_001, 60_001],
  ])('tells the log that the stored version is ahead: %i ms, logged as %i', async (ms, versionAheadMs) => {
    const stored = (NOW + ms) * 1000;
    const result = await write([rejectedBy(otherFile(stored)), applied(stored + 1)]);
    expect(result.stats).toEqual({ retries: 0, conflicts: 1, versionAheadMs });
  });
});

test.each([
  serviceError(
    'One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit',
  ),
  serviceError('Expression size has exceeded the maximum allowed size'),
  serviceError('Item size limit', 'ItemCollectionSizeLimitExceededException'),
  Object.assign(new Error('Item size'), { name: 'ValidationException' }),
])('only the item size is too large, not: $message', async (error) => {
  expect((await write([error])).result).toBe(error);
});

test('the condition of a dry run holds for no item', async () => {
  const { inputs, dryRunWrite } = createMockStore([new Error('aborted')]);
  await expect(dryRunWrite({ summary: '-' })).rejects.toThrow('aborted');
  const values = { ':version': 0, ':requestId': '-', ':updatedBy': '-', ':summary': '-' };
  expect(inputs()).toEqual([
    {
      ...input,
      Key: { spaceId: '-', fileId: '-' },
      ConditionExpression: `${input.ConditionExpression} AND attribute_not_exists(#fileId)`,
      ExpressionAttributeValues: values,
    },
  ]);
});

describe('the version clock', () => {
  /** The versions at these times, in milliseconds, for records with these stored versions. */
  const versionsAt = (...readings: readonly (readonly [now: number, stored?: number])[]) => {
    let now = 0;
    const nextVersion = createVersionClock(() => now);
    return readings.map(([time, stored = 0]) => {
      now = time;
      return nextVersion(stored);
    });
  };
  const year = 365 * 24 * 3_600_000;

  test.each([
    ['counts within one millisecond', [[1], [1], [1], [2]], [1_000, 1_001, 1_002, 2_000]],
    ['is above the stored version, for this record only', [[1, 9_000], [1]], [9_001, 1_001]],
    ['repeats no version when the clock is corrected', [[2_000], [1_000]], [2_000_000, 2_000_001]],
    ['does not keep a jump of the clock', [[NOW + year], [NOW]], [(NOW + year) * 1000, NOW * 1000]],
    ['follows a clock that was set back', [[2_001], [1_000], [1_000]], [2_001_000, 1_000_000, 1_000_001]],
  ] as const)('%s', (_, readings, versions) => {
    expect(versionsAt(...readings)).toEqual(versions);
  });
});
