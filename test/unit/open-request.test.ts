import { expect, test } from 'vitest';
import { openRequest } from '#lib/http/open-request.ts';
import { aContext } from '#test/support/event.ts';
import { aRequestContext, createTestSystem } from '#test/support/system.ts';

test('a request has an id of its own, a deadline and empty log fields', () => {
  expect(openRequest(aContext(), createTestSystem())).toEqual(aRequestContext({ deadline: 4_900 }));
});

test.each([
  [aContext(0), -600],
  [aContext(650), 50],
  [aContext(1000.5), 400.5],
  [aContext(5_500), 4_900],
  [aContext(30_000), 4_900],
  [{}, 4_900],
])('gives attempts 4.9 s, or the time that Lambda has left minus 600 ms (%#)', (context, deadline) => {
  expect(openRequest(context, createTestSystem()).deadline).toBe(deadline);
});
