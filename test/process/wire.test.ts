import { beforeAll, describe, expect, test } from 'vitest';
import { type Fault, type FaultProxy, startFaultProxy } from './fault-proxy.ts';
import { hang, itemTooLarge, permanent, reset, transient } from './faults.ts';
import {
  idsOf,
  type LambdaFunction,
  type Lanes,
  laneEvent,
  openLanes,
  recordOf,
  startFunction,
} from './harness.ts';

let lanes: Lanes;
let proxy: FaultProxy;
/** The first for single faults. The others share the lasting ones: an instance has a budget of 100 retries. */
let instances: readonly LambdaFunction[];
const at = (index: number) => instances[index] ?? expect.unreachable();
beforeAll(async () => {
  lanes = await openLanes(160);
  proxy = await startFaultProxy();
  instances = await Promise.all([1, 2, 3, 4].map(() => startFunction(lanes, proxy.endpoint)));
});

let lanesUsed = 0;
/** Sends a request for a lane of its own, with a fault for its calls of a kind. */
const patch = async (
  kind: 'read' | 'write',
  fault: Fault,
  { instance = 0, remainingMs = 10_000, times = Number.POSITIVE_INFINITY } = {},
) => {
  const lane = lanesUsed++;
  const { spaceId } = idsOf(lane);
  const before = recordOf(lane);
  proxy.fail(spaceId, kind, fault, times);
  const body = JSON.stringify({ summary: `new ${lane}` });
  const { statusCode, headers, ...rest } = await at(instance).send(laneEvent(lane, { body }), remainingMs);
  const metadata = { requestId: headers['x-request-id'], version: Number(headers['etag']?.slice(1, -1)) };
  return {
    ...{ status: statusCode, body: rest.body, before, after: await lanes.getFile(lane) },
    written: { ...before, summary: `new ${lane}`, updatedBy: expect.any(String), ...metadata },
    calls: proxy.callsOf(spaceId),
  };
};
const unavailable = { status: 503, body: '{"message":"Service Unavailable"}' };
/** More often than once; twice, unless the machine is so busy that an attempt takes too long. */
const isRepeated = (count: number) => count >= 2;
const internal = { status: 500, body: '{"message":"Internal Server Error"}' };

describe.concurrent.each(Object.entries(transient))('%s', (name, fault) => {
  const instance = 1 + (Object.keys(transient).indexOf(name) % 3);

  test('once on the write: written once, by the first or the second attempt', async () => {
    const { status, calls, after, written } = await patch('write', fault, { times: 1 });
    expect({ status, after }).toEqual({ status: 200, after: written });
    expect(calls).toEqual({ read: 1, write: expect.toSatisfy(isRepeated), applied: 1 });
  });

  test('once on the read: read again', async () => {
    const { status, calls } = await patch('read', fault, { times: 1 });
    expect({ status, calls }).toEqual({
      status: 200,
      calls: { read: expect.toSatisfy(isRepeated), write: 1, applied: 1 },
    });
  });

  test('on every write: 503, written once at most', async () => {
    const { status, body, calls } = await patch('write', fault, { instance, remainingMs: 650 });
    expect({ status, body }).toEqual(unavailable);
    expect(calls.applied).toBeLessThanOrEqual(1);
  });

  test('on every read: 503, nothing written', async () => {
    const { status, body, calls } = await patch('read', fault, { instance, remainingMs: 650 });
    expect({ status, body }).toEqual(unavailable);
    expect(calls.write).toBe(0);
  });
});

describe.concurrent.each(Object.entries(permanent))('%s: 500 without a second attempt', (_, fault) => {
  test('on the read, nothing written', async () => {
    expect(await patch('read', fault)).toMatchObject({ ...internal, calls: { read: 1, write: 0 } });
  });

  test('on the write', async () => {
    const { calls, before, after, ...response } = await patch('write', fault);
    expect(response).toMatchObject(internal);
    expect(calls).toMatchObject({ read: 1, write: 1 });
    if (calls.applied === 0) expect(after).toEqual(before);
  });
});

test.concurrent('an item that would exceed 400 KB: 413, nothing written', async () => {
  const { before, ...outcome } = await patch('write', itemTooLarge);
  expect(outcome).toMatchObject({ status: 413, calls: { read: 1, write: 1 }, after: before });
});

test.concurrent('less time left of Lambda than is reserved: 503 without a call', async () => {
  const noCalls = { read: 0, write: 0, applied: 0 };
  expect(await patch('read', hang, { remainingMs: 400 })).toMatchObject({ ...unavailable, calls: noCalls });
});

/** Requests of an instance of their own, all at once, while every call has the fault. */
const outage = async (fault: Fault, requests: number, remainingMs: number) => {
  const proxy = await startFaultProxy();
  const instance = await startFunction(lanes, proxy.endpoint);
  const send = async (_: unknown, lane: number) =>
    (await instance.send(laneEvent(lane), remainingMs)).statusCode;
  proxy.fail('all', 'any', fault);
  const statuses = await Promise.all(Array.from({ length: requests }, send));
  const calls = statuses
    .map((_, lane) => proxy.callsOf(idsOf(lane).spaceId))
    .reduce((sum, { read, write }) => sum + read + write, 0);
  proxy.heal();
  const next = await send(0, 150);
  const callsOfNext = proxy.callsOf(idsOf(150).spaceId);
  return { statuses: new Set(statuses), calls, next, callsOfNext };
};
const isHealthy = { next: 200, callsOfNext: { read: 1, write: 1, applied: 1 } };

test.concurrent('more requests than sockets, all of them hanging: each 503, and the pool recovers', async () => {
  expect(await outage(hang, 60, 1_000)).toMatchObject({ statuses: new Set([503]), ...isHealthy });
});

test.concurrent('an outage costs no more calls than the retry budget', async () => {
  const { calls, ...outcome } = await outage(reset, 80, 4_000);
  expect(outcome).toEqual({ statuses: new Set([503]), ...isHealthy });
  expect(calls).toBeLessThanOrEqual(80 + 100);
});

test.concurrent('loaded while every call hangs: the init ends, and the first request afterwards succeeds', async () => {
  const proxy = await startFaultProxy();
  proxy.fail('all', 'any', hang);
  const instance = await startFunction(lanes, proxy.endpoint);
  proxy.heal();
  expect((await instance.send(laneEvent(151))).statusCode).toBe(200);
});

test.concurrent('connection refused: 503, and 200 once something listens again', async () => {
  const stopped = await startFaultProxy();
  const instance = await startFunction(lanes, stopped.endpoint);
  await stopped.stop();
  expect(await instance.send(laneEvent(152), 1_000)).toMatchObject({ statusCode: 503 });
  await startFaultProxy(undefined, stopped.port);
  expect(await instance.send(laneEvent(152))).toMatchObject({ statusCode: 200 });
});

test.concurrent('a name that DNS does not know: 503 after more than one attempt', async () => {
  const instance = await startFunction(lanes, 'http://dynamodb.invalid:8000');
  expect(await instance.send(laneEvent(153), 1_600)).toMatchObject({ statusCode: 503 });
  const [line = ''] = await instance.lines(1);
  expect(JSON.parse(line).retries).toBeGreaterThan(0);
});
