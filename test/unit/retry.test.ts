import { describe, expect, test } from 'vitest';
import { ApiError } from '#lib/domain/errors.ts';
import { createRetry, MalformedResponseError } from '#lib/store/retry.ts';
import { aRequestContext, createTestSystem } from '#test/support/system.ts';

const never = (..._: unknown[]) => new Promise<never>(() => undefined);
const malformed = new MalformedResponseError('half a response');

/** An error as the SDK throws it. */
const sdkError = (name: string, status = 400) =>
  Object.assign(new Error(name), { name, $metadata: { httpStatusCode: status } });
const nodeError = (code: string) => Object.assign(new Error(code), { code });

/** An attempt that throws each error in turn and then succeeds. */
const attemptAfter = (...errors: readonly unknown[]) => {
  const left = [...errors];
  return async () => {
    if (left.length > 0) throw left.shift();
    return 'response';
  };
};

const failures = (count: number) => Array<unknown>(count).fill(malformed);

test('the latest error with unknown outcome is returned, whatever other errors follow it', async () => {
  const { retry } = createRetry(createTestSystem());
  const errors = [nodeError('ECONNRESET'), malformed, sdkError('ThrottlingException')];
  const result = await retry(attemptAfter(...errors), aRequestContext());
  expect(result).toEqual({ result: 'response', outcomeUnknown: malformed });
});

describe('an attempt', () => {
  test.each([
    [5_000, 700],
    [300, 300],
  ])('with %i ms until the deadline has %i ms', async (deadline, ms) => {
    const system = createTestSystem();
    const { retry } = createRetry(system);
    retry(never, aRequestContext({ deadline })).catch(() => undefined);
    expect(system.timers()).toEqual([ms]);
  });

  test('is not started with less than 10 ms until the deadline', async () => {
    const { retry } = createRetry(createTestSystem());
    const attempt = attemptAfter();
    const failure = new ApiError('unavailable', { reason: 'deadline passed', cause: undefined });
    await expect(retry(attempt, aRequestContext({ deadline: 9.9 }))).rejects.toThrow(failure);
    expect(await retry(attempt, aRequestContext({ deadline: 10 }))).toMatchObject({ result: 'response' });
  });

  test('that never settles is aborted and repeated until the deadline, and the error has the last cause', async () => {
    const system = createTestSystem();
    const context = aRequestContext({ deadline: 2_000 });
    const signals: AbortSignal[] = [];
    const attempt = (signal: AbortSignal) => never(signals.push(signal));
    const result = createRetry(system).retry(attempt, context);
    const rejected = expect(result).rejects.toMatchObject({
      name: 'ApiError',
      code: 'unavailable',
      details: {
        reason: 'deadline passed',
        cause: { name: 'TimeoutError', message: 'not settled after 600 ms' },
      },
    });
    await system.advance(1_999);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, false]);
    await system.advance(1);
    await rejected;
    expect(signals[2]).toMatchObject({ aborted: true, reason: { name: 'TimeoutError' } });
    expect(context.logFields).toEqual({ retries: 2, conflicts: 0, versionAheadMs: 0 });
    expect(system.timers()).toEqual([]);
  });

  test.each<readonly [unknown, 'rejected' | 'unknown' | 'final']>([
    [sdkError('ProvisionedThroughputExceededException'), 'rejected'],
    [sdkError('ThrottlingException'), 'rejected'],
    [sdkError('RequestLimitExceeded'), 'rejected'],
    [sdkError('TransactionConflictException'), 'rejected'],
    [sdkError('ReplicatedWriteConflictException'), 'rejected'],
    [sdkError('InternalServerError', 500), 'unknown'],
    [sdkError('NotImplemented', 501), 'unknown'],
    [sdkError('TimeoutError', 0), 'unknown'],
    [nodeError('ECONNRESET'), 'unknown'],
    [nodeError('ECONNREFUSED'), 'unknown'],
    [nodeError('EAI_AGAIN'), 'unknown'],
    [nodeError('EPROTO'), 'unknown'],
    [nodeError('HPE_INVALID_CONSTANT'), 'unknown'],
    [nodeError('ERR_RESPONSE_TOO_LARGE'), 'unknown'],
    [new SyntaxError('Unexpected end of JSON input'), 'unknown'],
    [malformed, 'unknown'],
    [sdkError('AccessDeniedException'), 'final'],
    [sdkError('CredentialsProviderError', 0), 'final'],
    [nodeError('EPROTONOSUPPORT'), 'final'],
    [nodeError('XHPE_INVALID'), 'final'],
    [nodeError('XERR_RESPONSE_TOO_LARGE'), 'final'],
    [nodeError('ERR_RESPONSE_TOO_LARGER'), 'final'],
    [Object.assign(new Error('a number as code'), { code: 7 }), 'final'],
    ['a string', 'final'],
  ])('that ends with %s is %s, and repeated unless it is final', async (error, outcome) => {
    const { retry } = createRetry(createTestSystem());
    const context = aRequestContext();
    const settled = await retry(attemptAfter(error), context).catch((thrown: unknown) => thrown);
    const repeated = { result: 'response', outcomeUnknown: outcome === 'unknown' ? error : undefined };
    expect(settled).toEqual(outcome === 'final' ? error : repeated);
    expect(context.logFields.retries).toBe(outcome === 'final' ? 0 : 1);
  });
});

test.each([
  ['doubles up to its cap', 1, 5_000, [25, 50, 100, 200, 400, 800, 1_000, 1_000]],
  ['is a random part of that', 0.5, 5_000, [12.5, 25, 50]],
  ['does not go beyond the deadline', 1, 60, [25, 35]],
])('the wait before a retry %s', async (_, random, deadline, expected) => {
  const system = createTestSystem({ random: () => random });
  const attempt = attemptAfter(...failures(expected.length));
  const result = createRetry(system).retry(attempt, aRequestContext({ deadline }));
  result.catch(() => undefined);
  const waits: number[] = [];
  while (waits.length < expected.length) {
    await system.advance(waits.at(-1) ?? 0);
    waits.push(...system.timers());
  }
  expect(waits).toEqual(expected);
});

test('saves up at most 100 retries', async () => {
  const { retry } = createRetry(createTestSystem());
  for (let responses = 0; responses < 10; responses += 1) await retry(attemptAfter(), aRequestContext());
  const context = aRequestContext();
  await expect(retry(attemptAfter(...failures(101)), context)).rejects.toThrow(
    new ApiError('unavailable', { reason: 'retry budget used up', cause: malformed }),
  );
  expect(context.logFields.retries).toBe(100);
});

// docs/operations.md names it, as the log does.
test('a malformed response has a name of its own', () => {
  expect(malformed.name).toBe('MalformedResponseError');
});
