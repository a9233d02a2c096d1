import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createClient } from '#lib/client/client.ts';
import { anUpdate, aView } from './support/given-client.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const busy = () => new Response('', { status: 503 });
const updated = () => new Response(JSON.stringify(aView()), { headers: { etag: '"1"' } });

const start = (answers: (() => Response)[], signal?: AbortSignal) => {
  const fetch = vi.fn(async () => (answers.shift() ?? updated)());
  vi.stubGlobal('fetch', fetch);
  const client = createClient({ baseUrl: 'http://x', apiKey: 'k', tenantId: 't', userId: 'u' });
  return { fetch, result: client.updateFile({ ...anUpdate, signal }) };
};

test('with nothing but the caller named, it waits at most 200 ms before it repeats, and leaves nothing behind', async () => {
  const { signal } = new AbortController();
  const { fetch, result } = start([busy], signal);
  await vi.advanceTimersByTimeAsync(200);
  expect(fetch).toHaveBeenCalledTimes(2);
  expect(await result).toMatchObject({ ok: true, etag: '"1"' });
  const left = { timers: vi.getTimerCount(), listeners: getEventListeners(signal, 'abort') };
  expect(left).toStrictEqual({ timers: 0, listeners: [] });
});

const wait = () => new Response('', { status: 503, headers: { 'retry-after': '20' } });

test('the signal ends the wait at once and leaves no timer behind', async () => {
  const caller = new AbortController();
  const { fetch, result } = start([wait], caller.signal);
  await vi.advanceTimersByTimeAsync(19_999);
  expect(vi.getTimerCount()).toBe(1);
  caller.abort('enough');
  expect(await result).toMatchObject({ ok: false, error: { code: 'aborted', cause: 'enough' } });
  expect({ calls: fetch.mock.calls.length, timers: vi.getTimerCount() }).toStrictEqual({
    calls: 1,
    timers: 0,
  });
});

test('a signal that comes with the answer leaves no wait', async () => {
  const caller = new AbortController();
  const { result } = start(
    [
      () => {
        caller.abort('enough');
        return wait();
      },
    ],
    caller.signal,
  );
  expect(await result).toMatchObject({ ok: false, error: { code: 'aborted', cause: 'enough' } });
  expect(vi.getTimerCount()).toBe(0);
});
