import { expect, test } from 'vitest';
import { ATTEMPT_TIMEOUT_MS } from '#lib/store/retry.ts';
import { startFaultProxy } from './fault-proxy.ts';
import { hang, itemTooLarge, permanent, transient } from './http-faults.ts';
import { judge, observe } from './judge.ts';
import { buildFunction, expectNoLeak, openSpaces, startFunction } from './lambda-function.ts';

buildFunction();

const failing = { ...transient, ...permanent, 'item too large': itemTooLarge };

test.each([
  { kind: 'read', times: 1, faults: failing },
  { kind: 'write', times: 1, faults: failing },
  { kind: 'read', times: 1_000, faults: transient },
  { kind: 'write', times: 1_000, faults: transient },
] as const)(
  'the function gives the documented response after each fault on $kind calls, $times times',
  async ({ kind, times, faults }) => {
    const all = Object.entries(faults);
    const tables = await openSpaces(all.length);
    const proxy = await startFaultProxy();
    const instance = await startFunction(tables, proxy.endpoint);

    const send = async ([name, fault]: (typeof all)[number], space: number) => {
      proxy.fail(space, kind, fault, name in transient ? times : 1_000);
      const startedAt = performance.now();
      const response = await instance.send(space, {}, times === 1 ? 10_000 : 1_200);
      const { [kind]: attempts, read } = proxy.callsOf(space);
      // On a busy machine an attempt may time out before its reply comes, and is then repeated for that reason.
      const mayTimeOut = performance.now() - startedAt >= ATTEMPT_TIMEOUT_MS;
      const isRepeated = attempts > 1 && (name in transient || !mayTimeOut);
      return { name, status: response.statusCode, isRepeated, isRead: read > 0 };
    };
    const outcomes = [];
    // On a busy machine, more at once may take longer than their deadline.
    for (let first = 0; first < all.length; first += 8) {
      const eight = all.slice(first, first + 8);
      outcomes.push(...(await Promise.all(eight.map((one, at) => send(one, first + at)))));
    }

    const expectedStatus = (name: string) => {
      if (name in transient) return times === 1 ? 200 : 503;
      return kind === 'write' && name === 'item too large' ? 413 : 500;
    };
    expect(judge(await tables.changes(), instance.sent().map(observe))).toEqual([]);
    for (const outcome of outcomes)
      expect(outcome).toEqual({
        name: outcome.name,
        status: expectedStatus(outcome.name),
        isRepeated: times === 1 ? outcome.name in transient : expect.any(Boolean),
        isRead: true,
      });
    proxy.heal();
    for (const space of tables.spaces) expect(await instance.send(space)).toMatchObject({ statusCode: 200 });
    await expectNoLeak(instance);
  },
);

test('more requests than sockets get 503 while every call hangs, and 200 afterwards', async () => {
  const tables = await openSpaces(60);
  const proxy = await startFaultProxy();
  const instance = await startFunction(tables, proxy.endpoint);
  for (const space of tables.spaces) proxy.fail(space, 'read', hang);
  const hung = await Promise.all(tables.spaces.map((space) => instance.send(space, {}, 1_000)));
  expect(new Set(hung.map(({ statusCode }) => statusCode))).toEqual(new Set([503]));
  proxy.heal();
  // One after the other: on a busy machine, sixty at once may take longer than an attempt.
  for (const space of tables.spaces) expect(await instance.send(space)).toMatchObject({ statusCode: 200 });
});

test('a request gets 503 after more than one attempt if nobody listens, or DNS does not know the name', async () => {
  const tables = await openSpaces(1);
  const sendTo = async (endpoint: string) => {
    const instance = await startFunction(tables, endpoint);
    expect(await instance.send(0, {}, 1_600)).toMatchObject({ statusCode: 503 });
    const [line = ''] = await instance.lines();
    expect(JSON.parse(line).retries).toBeGreaterThan(0);
  };
  await Promise.all(['http://127.0.0.1:1', 'http://dynamodb.invalid:8000'].map(sendTo));
});
