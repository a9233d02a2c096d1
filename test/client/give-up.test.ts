import { expect, test } from 'vitest';
import { turn } from './support/faulty-front.ts';
import { failed, useFaultyService } from './support/faulty-service.ts';

const { update } = useFaultyService('client-give-up');

const lost = {
  code: 'network',
  status: undefined,
  message: 'The connection was lost, or no answer came in time',
  retryable: true,
  mayBeApplied: true,
  cause: expect.any(Error),
};
const message = (text: string) => JSON.stringify({ message: text });
const busy = turn.answer(503, message('Service Unavailable'), { 'retry-after': '1', 'x-request-id': 'r' });

test('the waits double up to ten seconds, a random part of each is waited, and the last attempt tells', async () => {
  const turns = Array.from({ length: 8 }, () => turn.resetBefore);
  expect(await update(turns, {}, { maxAttempts: 8 })).toStrictEqual({
    result: failed(lost),
    waits: [100, 200, 400, 800, 1600, 3200, 5000],
    attempts: 8,
  });
});

test('four attempts unless told', async () => {
  expect(await update([busy, busy, busy, busy])).toStrictEqual({
    result: failed({
      code: 'unavailable',
      status: 503,
      message: 'Service Unavailable',
      requestId: 'r',
      retryable: true,
      mayBeApplied: true,
      retryAfterMs: 1000,
    }),
    waits: [1100, 1200, 1400],
    attempts: 4,
  });
});

test('a service that asks for more than 20 seconds is left to the caller', async () => {
  const turns = [turn.answer(429, message('Too Many Requests'), { 'retry-after': '21' })];
  expect(await update(turns)).toStrictEqual({
    result: failed({
      code: 'throttled',
      status: 429,
      message: 'Too Many Requests',
      retryable: true,
      mayBeApplied: false,
      retryAfterMs: 21_000,
    }),
    waits: [],
    attempts: 1,
  });
});

test.each([
  [429, 'throttled', false],
  [500, 'internal-error', true],
  [502, 'unavailable', true],
  [504, 'unavailable', true],
])('%i of a gateway is %s', async (status, code, mayBeApplied) => {
  expect(await update([turn.answer(status, '<h1>Sorry')], {}, { maxAttempts: 1 })).toStrictEqual({
    result: failed({
      code,
      status,
      message: `HTTP status ${status}`,
      retryable: true,
      mayBeApplied,
      retryAfterMs: 0,
    }),
    waits: [],
    attempts: 1,
  });
});

test('a server that hangs is a connection lost after the time of one attempt', async () => {
  expect(await update([turn.hang], {}, { timeoutMs: 50, maxAttempts: 1 })).toStrictEqual({
    result: failed({ ...lost, cause: expect.objectContaining({ name: 'TimeoutError' }) }),
    waits: [],
    attempts: 1,
  });
});
