import { expect, test } from 'vitest';
import { ATTEMPT_TIMEOUT_MS } from '#lib/store/retry.ts';
import { startFaultProxy } from './fault-proxy.ts';
import { hang, itemTooLarge, permanent, transient } from './faults.ts';
import { buildFunction, expectNoLeak, openLanes, startFunction } from './harness.ts';
import { disagreements, observe } from './referee.ts';

buildFunction();

const failing = { ...transient, ...permanent, 'item too large': itemTooLarge };

test.each([
  { kind: 'read', times: 1, faults: failing },
  { kind: 'write', times: 1, faults: failing },
  { kind: 'read', times: 1_000, faults: transient },
  { kind: 'write', times: 1_000, faults: transient },
] as const)('each fault on $kind calls, $times times, eight at once', async ({ kind, times, faults }) => {
  const all = Object.entries(faults);
  const tables = await openLanes(all.length);
  const proxy = await startFaultProxy();
  const instance = await startFunction(tables, proxy.endpoint);

  const send = async ([name, fault]: (typeof all)[number], lane: number) => {
    proxy.fail(lane, kind, fault, name in transient ? times : 1_000);
    const startedAt = performance.now();
    const response = await instance.send(lane, {}, times === 1 ? 10_000 : 1_200);
    const { [kind]: attempts, read } = proxy.callsOf(lane);
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
  expect(disagreements(await tables.changes(), instance.sent().map(observe))).toEqual([]);
  for (const outcome of outcomes)
    expect(outcome).toEqual({
      name: outcome.name,
      status: expectedStatus(outcome.name),
      isRepeated: times === 1 ? outcome.name in transient : expect.any(Boolean),
      isRead: true,
    });
  proxy.heal();
  for (const lane of tables.lanes) expect(await instance.send(lane)).toMatchObject({ statusCode: 200 });
  await expectNoLeak(instance);
});

test('more requests than sockets while every call hangs: each 503, and the pool recovers', async () => {
  const tables = await openLanes(60);
  const proxy = await startFaultProxy();
  const instance = await startFunction(tables, proxy.endpoint);
  for (const lane of tables.lanes) proxy.fail(lane, 'read', hang);
  const hung = await Promise.all(tables.lanes.map((lane) => instance.send(lane, {}, 1_000)));
  expect(new Set(hung.map(({ statusCode }) => statusCode))).toEqual(new Set([503]));
  proxy.heal();
  // One after the other: on a busy machine, sixty at once may take longer than an attempt.
  for (const lane of tables.lanes) expect(await instance.send(lane)).toMatchObject({ statusCode: 200 });
});

test('an address where nobody listens, a name that DNS does not know: 503 after more than one attempt', async () => {
  const tables = await openLanes(1);
  const sendTo = async (endpoint: string) => {
    const instance = await startFunction(tables, endpoint);
    expect(await instance.send(0, {}, 1_600)).toMatchObject({ statusCode: 503 });
    const [line = ''] = await instance.lines();
    expect(JSON.parse(line).retries).toBeGreaterThan(0);
  };
  await Promise.all(['http://127.0.0.1:1', 'http://dynamodb.invalid:8000'].map(sendTo));
});
