import { expect, test } from 'vitest';
import { openRequest } from '#lib/http/open-request.ts';
import { aRequestContext, createEnvironment } from '#test/support/environment.ts';
import { aContext } from '#test/support/event.ts';
import { NOW } from '#test/support/given.ts';

test('a request has an id of its own, a deadline and empty log fields', () => {
  expect(openRequest(aContext(), createEnvironment())).toEqual({
    context: aRequestContext(),
    startedAt: NOW,
    awsRequestId: 'lambda-1',
  });
});

test.each([
  [aContext(0), -500],
  [aContext(550), 50],
  [aContext(1000.5), 500.5],
  [aContext(5_500), 5_000],
  [aContext(30_000), 5_000],
  [{}, 5_000],
])('gives a request 5 s, or the time that Lambda has left minus 500 ms (%#)', (context, deadline) => {
  expect(openRequest(context, createEnvironment()).context.deadline).toBe(deadline);
});
