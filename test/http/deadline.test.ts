import { expect, test } from 'vitest';
import { uptimeMs } from '#lib/context.ts';
import { readEvent } from '#lib/http/event.ts';
import { openRequest } from '#lib/http/event.ts';
import { anEvent } from '#test/support/event.ts';

/** Milliseconds that a request has when Lambda says what it has left. */
const timeFor = (getRemainingTimeInMillis?: () => number) => {
  const before = uptimeMs();
  const context = getRemainingTimeInMillis ? { getRemainingTimeInMillis } : {};
  const { call } = openRequest(readEvent(anEvent()), context, { now: () => 1000, newId: () => 'request-1' });
  return { atLeast: call.deadline - uptimeMs(), atMost: call.deadline - before };
};

test.each([0, 499, 500])('with %i ms left the deadline has passed', (left) => {
  expect(timeFor(() => left).atLeast).toBeLessThanOrEqual(0);
});

test.each([
  [550, 50],
  [1000.5, 500.5],
  [5500, 5000],
  [30_000, 5000],
  [undefined, 5000],
])('with %s ms left a request has %s', (left, expected) => {
  const { atLeast, atMost } = timeFor(left === undefined ? undefined : () => left);
  expect(atLeast).toBeLessThanOrEqual(expected);
  expect(atMost).toBeGreaterThanOrEqual(expected);
});
