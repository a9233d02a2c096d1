import { expect, test } from 'vitest';
import { createHandler, createRoute } from '#lib/http/create-handler.ts';
import type { System } from '#lib/system.ts';
import { createEnvironment } from '#test/support/environment.ts';
import { aContext, anEvent } from '#test/support/event.ts';
import { aResponse } from '#test/support/responses.ts';

const event = JSON.parse(JSON.stringify(anEvent()));
const route = createRoute([], 'done');
const fail = () => {
  throw new Error('secret');
};
const internalError = (requestId: string) =>
  aResponse(500, { message: 'Internal Server Error' }, { 'x-error-code': 'internal-error' }, requestId);
const unopened = internalError('unknown');

test.each<[string, Partial<System>, object]>([
  ['the log', { log: fail }, aResponse(200, {})],
  ['the wall clock', { now: fail }, unopened],
  ['the monotonic clock', { uptime: fail }, unopened],
  ['the id source', { newId: fail }, unopened],
  ['the timer', { startTimer: fail }, internalError('request-1')],
  ['everything', { log: fail, now: fail, uptime: fail, newId: fail, startTimer: fail }, unopened],
])('responds although %s throws', async (_, broken, response) => {
  const handler = createHandler(
    route,
    async () => aResponse(200, {}, {}, 'replaced'),
    createEnvironment(broken),
  );
  expect(await handler(event, aContext())).toEqual(response);
});

test.each([new Error('secret'), 'secret', undefined, null])(
  'anything thrown becomes an opaque 500: %s',
  async (thrown) => {
    const environment = createEnvironment();
    const handler = createHandler(
      route,
      async () => {
        throw thrown;
      },
      environment,
    );
    expect(await handler(event, aContext())).toEqual(internalError('request-1'));
    const reason = thrown == null ? 'nothing was thrown' : 'unexpected error';
    expect(environment.logged()).toMatchObject([{ outcome: 'internal-error', reason }]);
    expect(JSON.stringify(environment.logged())).not.toContain('secret');
  },
);

test('an operation that does not settle ends 100 ms after the deadline', async () => {
  const environment = createEnvironment();
  const handler = createHandler(route, () => new Promise(() => undefined), environment);
  await environment.advance(50);
  const response = handler(event, aContext(2_500));
  await environment.advance(2_099);
  expect(environment.logged()).toEqual([]);
  await environment.advance(1);
  const headers = { 'x-error-code': 'unavailable', 'retry-after': '1' };
  expect(await response).toEqual(aResponse(503, { message: 'Service Unavailable' }, headers));
  expect(environment.logged()).toMatchObject([
    { outcome: 'unavailable', reason: 'operation did not settle before the deadline', ms: 2_100 },
  ]);
  expect(environment.timers()).toEqual([]);
});
