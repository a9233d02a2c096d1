import { expect, test } from 'vitest';
import type { Environment } from '#lib/context.ts';
import { hashApiKey } from '#lib/store/keys.ts';
import { faultOf, type MessageFault } from './faults.ts';
import { createHandler, createStore, updateFile } from './operation.ts';
import { createTables, directClient, tableNames, toClient } from './tables.ts';

/** One instance on a clock of its own that calls its timers in order, as fast as the processor allows. */
const openInstance = () => {
  const tables = createTables();
  const apiKey = { keyId: 'key-1', tenantId: 'acme', scope: 'PRODUCT', roles: ['editor'] };
  tables.put('apiKeys', { keyHash: hashApiKey('key'), ...apiKey });
  tables.put('spaces', { tenantId: 'acme', spaceId: 'space', visibility: 'public' });
  tables.put('files', { spaceId: 'space', fileId: 'file', language: 'en', domain: 'hr' });
  const direct = directClient(tables);

  let time = 0;
  let calls = 0;
  let ids = 0;
  /** What happens to the n-th call from now on. */
  let faultOfCall: (call: number) => MessageFault | undefined = () => undefined;
  const timers = new Set<{ due: number; callback: () => void }>();
  const startTimer: Environment['startTimer'] = (ms, callback) => {
    const timer = { due: time + ms, callback };
    timers.add(timer);
    return () => void timers.delete(timer);
  };
  const environment: Environment = {
    now: () => 1_790_000_000_000 + Math.floor(time),
    uptime: () => time,
    startTimer,
    random: () => 0.5,
    newId: () => `request-${ids++}`,
    log: () => undefined,
  };
  const client = toClient(async (command) => {
    const fault = faultOfCall(calls++);
    if (!fault) return Reflect.apply(direct.send, direct, [command]);
    const { response } = faultOf(fault);
    if (!response) return new Promise(() => undefined);
    throw response();
  });
  const store = createStore({ client, ...tableNames }, environment);
  const deps = { ...environment, store: () => store };
  const handler = createHandler(updateFile(deps), deps);
  const event = {
    version: '2.0',
    headers: {
      'x-user-id': 'u',
      'x-tenant-id': 'acme',
      'x-api-key': 'key',
      'content-type': 'application/json',
    },
    pathParameters: { spaceId: 'space', fileId: 'file' },
    body: '{"summary":"New."}',
  };

  return {
    /** Starts a request every so many milliseconds and waits until all are answered. */
    send: async (count: number, everyMs: number, fault: typeof faultOfCall) => {
      calls = 0;
      faultOfCall = fault;
      const statuses: number[] = [];
      const start = async () => {
        const { statusCode } = await Reflect.apply(handler, undefined, [event, {}]);
        statuses.push(statusCode);
      };
      for (let index = 0; index < count; index += 1) startTimer(index * everyMs, () => void start());
      while (statuses.length < count) {
        const next = [...timers].reduce((a, b) => (b.due < a.due ? b : a));
        timers.delete(next);
        time = Math.max(time, next.due);
        next.callback();
        await new Promise((resolve) => setImmediate(resolve));
      }
      return { calls, statuses: [...new Set(statuses)].toSorted() };
    },
  };
};

test.each<MessageFault>(['500', 'lost', 'throttled'])(
  'a minute in which every call is "%s" costs few retries, and ends at once',
  async (fault) => {
    const instance = openInstance();
    const outage = await instance.send(1200, 50, () => fault);
    expect(outage.statuses).toEqual([503]);
    expect(outage.calls / 1200).toBeLessThanOrEqual(1.2);
    expect(outage.calls).toBe(1300);
    expect(await instance.send(20, 50, () => undefined)).toEqual({ statuses: [200], calls: 40 });
  },
);

test('a single error is retried, before an outage and soon after one', async () => {
  const instance = openInstance();
  const once = (call: number) => (call === 0 ? '500' : undefined);
  expect(await instance.send(1, 0, once)).toEqual({ statuses: [200], calls: 3 });
  await instance.send(200, 50, () => '500');
  expect(await instance.send(1, 0, once)).toEqual({ statuses: [503], calls: 1 });
  // Each of three requests gives back a fifth of a token for each of its two calls.
  await instance.send(3, 50, () => undefined);
  expect(await instance.send(1, 0, once)).toEqual({ statuses: [200], calls: 3 });
});
