import { expect, test } from 'vitest';
import { openRequest } from '#lib/http/request.ts';
import { anEvent } from '#test/support/event.ts';

const open = (getRemainingTimeInMillis?: () => number) =>
  openRequest(anEvent(), getRemainingTimeInMillis ? { getRemainingTimeInMillis } : {}, {
    now: () => 1000,
    newId: () => 'request-1',
  });

test.each([0, 499, 500])('with %i ms left the deadline has passed', (left) => {
  expect(open(() => left).call.deadline.aborted).toBe(true);
});

test('the deadline passes half a second before Lambda’s own', async () => {
  const { deadline } = open(() => 550).call;
  expect(deadline.aborted).toBe(false);
  await new Promise((resolve) => deadline.addEventListener('abort', resolve));
  expect(deadline.reason).toMatchObject({ name: 'TimeoutError' });
});

test('a fraction of a millisecond is no obstacle', () => {
  expect(open(() => 1000.5).call.deadline.aborted).toBe(false);
});

test('without a word from Lambda there is time', () => {
  expect(open().call.deadline.aborted).toBe(false);
});
