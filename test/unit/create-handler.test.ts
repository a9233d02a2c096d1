import { expect, test } from 'vitest';
import { createHandler } from '#lib/http/create-handler.ts';
import type { ApiResponse } from '#lib/http/responses.ts';
import type { System } from '#lib/system.ts';
import { aContext, anEvent } from '#test/support/event.ts';
import { NOW } from '#test/support/fixtures.ts';
import { aResponse } from '#test/support/responses.ts';
import { createTestSystem, watch } from '#test/support/system.ts';

const event = anEvent();
const handlerOf = (run: () => Promise<ApiResponse>, system: System) => createHandler('done', run, system);
const fail = () => {
  throw new Error('secret');
};
const internalError = (requestId: string) =>
  aResponse(500, { message: 'Internal Server Error' }, { 'x-error-code': 'internal-error' }, requestId);
const unopened = internalError('unknown');

test.each<[string, Partial<System>, object]>([
  ['the log', { log: fail }, aResponse(200, {})],
  ['the wall clock', { now: fail }, aResponse(200, {})],
  ['the monotonic clock', { uptime: fail }, unopened],
  ['the id source', { newId: fail }, unopened],
  ['the timer', { startTimer: fail }, internalError('request-1')],
  ['everything', { log: fail, now: fail, uptime: fail, newId: fail, startTimer: fail }, unopened],
])('responds although %s throws', async (_, broken, response) => {
  const handler = handlerOf(async () => aResponse(200, {}, {}, 'replaced'), createTestSystem(broken));
  expect(await handler(event, aContext())).toEqual(response);
});

test.each([new Error('secret'), 'secret', undefined, null])(
  'anything thrown becomes an opaque 500: %s',
  async (thrown) => {
    const system = createTestSystem();
    const handler = handlerOf(async () => {
      throw thrown;
    }, system);
    expect(await handler(event, aContext())).toEqual(internalError('request-1'));
    const reason = thrown == null ? 'nothing was thrown' : 'unexpected error';
    expect(system.logged()).toMatchObject([{ outcome: 'internal-error', reason }]);
    expect(JSON.stringify(system.logged())).not.toContain('secret');
  },
);

test('an operation that returns nothing becomes an opaque 500', async () => {
  const system = createTestSystem();
  expect(await handlerOf(async () => JSON.parse('null'), system)(event, aContext())).toEqual(
    internalError('request-1'),
  );
  expect(system.logged()).toMatchObject([{ outcome: 'internal-error', reason: 'nothing was returned' }]);
});

test('an operation that does not settle ends before 500 ms of the time that Lambda has left', async () => {
  const system = createTestSystem();
  const handler = handlerOf(() => new Promise(() => undefined), system);
  await system.advance(50);
  const response = watch(handler(event, aContext(2_500)));
  await system.advance(1_999);
  expect(system.logged()).toEqual([]);
  await system.advance(1);
  expect(system.logged()).toMatchObject([
    { outcome: 'unavailable', reason: 'operation did not settle before the deadline', ms: 2_000 },
  ]);
  const headers = { 'x-error-code': 'unavailable', 'retry-after': '1' };
  expect(response()).toEqual({ value: aResponse(503, { message: 'Service Unavailable' }, headers) });
  expect(system.timers()).toEqual([]);
});

test('a context that does not know how much time is left gives an operation 5 s', async () => {
  const system = createTestSystem();
  const response = watch(handlerOf(() => new Promise(() => undefined), system)(event, JSON.parse('{}')));
  await system.advance(4_999);
  expect(response()).toBe('not settled');
  await system.advance(1);
  expect(response()).toMatchObject({ value: { statusCode: 503 } });
});

test('an operation that throws at once leaves no timer', async () => {
  const system = createTestSystem();
  const handler = handlerOf(() => fail(), system);
  expect(await handler(event, aContext())).toEqual(internalError('request-1'));
  expect(system.timers()).toEqual([]);
});

test('the log has the duration of a request by the monotonic clock, whatever the wall clock does', async () => {
  const system = createTestSystem();
  let wall = NOW;
  const run = async () => {
    wall -= 60_000;
    await system.advance(10.4);
    return aResponse(200, {});
  };
  await handlerOf(run, { ...system, now: () => wall })(event, aContext());
  expect(system.logged()).toMatchObject([{ outcome: 'done', ms: 10 }]);
});
