import { expect, test } from 'vitest';
import type { Environment } from '#lib/context.ts';
import { createHandler } from '#lib/http/create-handler.ts';
import { fileResponse } from '#lib/http/responses.ts';
import { createEnvironment } from '#test/support/environment.ts';
import { aContext, anEvent } from '#test/support/event.ts';
import { aFileView, FIRST_VERSION } from '#test/support/given.ts';
import { anError, anUpdate } from '#test/support/responses.ts';

const event = JSON.parse(JSON.stringify(anEvent()));
const file = aFileView();
const succeed = async () => fileResponse({ file, version: FIRST_VERSION, replayed: false });
const fail = () => {
  throw new Error('secret');
};

const internalError = { code: 'internal-error', message: 'Internal Server Error' };
const unavailable = { code: 'unavailable', message: 'Service Unavailable' };

test.each<[string, Partial<Environment>, string]>([
  ['the log', { log: fail }, 'request-1'],
  ['the wall clock', { now: fail }, 'unknown'],
  ['the monotonic clock', { uptime: fail }, 'unknown'],
  ['the id source', { newId: fail }, 'unknown'],
  ['the timer', { startTimer: fail }, 'request-1'],
  ['everything', { log: fail, now: fail, uptime: fail, newId: fail, startTimer: fail }, 'unknown'],
])('the handler responds although %s throws', async (_, broken, requestId) => {
  const handler = createHandler(succeed, createEnvironment(broken));
  expect(await handler(event, aContext())).toEqual(
    Object.keys(broken).join() === 'log'
      ? anUpdate(file, FIRST_VERSION)
      : anError(500, internalError, {}, requestId),
  );
});

test.each([new Error('secret'), 'secret', undefined, null])(
  'anything thrown becomes an opaque 500: %s',
  async (thrown) => {
    const environment = createEnvironment();
    const handler = createHandler(async () => {
      throw thrown;
    }, environment);
    expect(await handler(event, aContext())).toEqual(anError(500, internalError));
    const reason = thrown == null ? 'nothing was thrown' : 'unexpected error';
    expect(environment.logged()).toMatchObject([{ outcome: 'internal-error', reason }]);
    expect(JSON.stringify(environment.logged())).not.toContain('secret');
  },
);

test('an operation that does not settle ends 100 ms after the deadline', async () => {
  const environment = createEnvironment();
  const handler = createHandler(() => new Promise(() => undefined), environment);
  await environment.advance(50);
  const response = handler(event, aContext(2_500));
  await environment.advance(2_099);
  expect(environment.logged()).toEqual([]);
  await environment.advance(1);
  expect(await response).toEqual(anError(503, unavailable, { 'retry-after': '1' }));
  expect(environment.logged()).toMatchObject([
    { outcome: 'unavailable', reason: 'operation did not settle before the deadline', ms: 2_100 },
  ]);
  expect(environment.timers()).toEqual([]);
});
