import dns from 'node:dns';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest';
import { report, scale } from '#test/proof/support/run.ts';
import { useEndpoint } from '#test/support/endpoint.ts';
import { openInstance } from './support/instances.ts';
import { always, noFaults } from './support/plan.ts';
import { startFaultProxy } from './support/proxy.ts';
import { openStage, type Stage } from './support/stage.ts';
import { openWriter } from './support/writer.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage('unavailable');
});
afterEach(async () => {
  await stage.proxy.stop();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const throttles = ['throughput exceeded', 'throttled', 'request limit'];

/** Sends a request that must be given up at its deadline: 503, in time, with nothing changed. */
const expectGivenUp = async (remainingMs = 1000) => {
  const before = await stage.record();
  const told = await stage.patch({ remainingMs });
  expect(told.status).toBe(503);
  expect(told.answered - told.began).toBeLessThan(remainingMs);
  expect(await stage.record()).toEqual(before);
};

/** Sends requests all at once. */
const sendMany = async (count: number, remainingMs: number) => {
  const stalls = monitorEventLoopDelay({ resolution: 10 });
  stalls.enable();
  const told = await Promise.all(Array.from({ length: count }, () => stage.patch({ remainingMs })));
  stalls.disable();
  return {
    stallMs: stalls.max / 1e6,
    statuses: new Set(told.map(({ status }) => status)),
    slowest: Math.max(...told.map(({ began, answered }) => answered - began)),
  };
};

test('connection refused: 503 before the deadline; 200 once somebody listens', async () => {
  await stage.proxy.stop();
  await expectGivenUp();
  expect(stage.logged()).toMatchObject({ reason: expect.stringContaining('deadline passed') });
  expect(Number(stage.logged()['retries'])).toBeGreaterThan(1);

  const port = Number(new URL(stage.proxy.endpoint).port);
  const waiting = stage.patch();
  const back = await startFaultProxy(inject('endpoint'), noFaults, port);
  expect((await waiting).status).toBe(200);
  await back.stop();
});

test.each(['ENOTFOUND', 'EAI_AGAIN'])('%s from DNS: 200 when it passes, else 503', async (code) => {
  let failures = 1;
  vi.spyOn(dns, 'lookup').mockImplementation((...args: unknown[]) => {
    const callback = args.at(-1);
    if (typeof callback !== 'function') throw new Error('no callback');
    const failure = failures-- > 0 ? Object.assign(new Error(code), { code }) : null;
    process.nextTick(callback, failure, [{ address: '127.0.0.1', family: 4 }]);
  });
  useEndpoint(stage.proxy.endpoint.replace('127.0.0.1', 'table.example'));
  // A writer that has a connection asks for no name.
  const aNewWriter = () => openWriter({ instance: openInstance(stage.world.config), apiKey: 'key-0' });
  const update = { ...stage.file, patch: { summary: 'New.' }, remainingMs: 1500 };
  expect(await aNewWriter()(update)).toMatchObject({ status: 200, repeated: true });
  failures = Number.POSITIVE_INFINITY;
  expect(await aNewWriter()(update)).toMatchObject({ status: 503 });
});

test.each(throttles)('%s, for ever: 503 before the deadline, nothing changed', async (name) => {
  stage.proxy.follow(always(name));
  await expectGivenUp();
  stage.proxy.follow(always(name, 'write'));
  await expectGivenUp();
});

test.each([0, 1, 499, 500])('with %i ms left of Lambda: 503 without a single call', async (remainingMs) => {
  const { result, reads, writes } = await stage.count(() => stage.patch({ remainingMs }));
  expect({ status: result.status, reads, writes }).toEqual({ status: 503, reads: 0, writes: 0 });
});

test('an engine that says 500 for a while: the very next request is answered 200, at its first attempt', async () => {
  stage.proxy.follow(always('500 before'));
  const during = await sendMany(50 * scale, 900);
  expect(during.statuses).toEqual(new Set([503]));
  stage.proxy.follow(noFaults);
  expect((await stage.patch()).status).toBe(200);
  expect(stage.logged()).toMatchObject({ retries: 0, refusals: 0 });
});

test.each(['hang before', 'hang after'])(
  'more requests than the pool has sockets, all of them hung (%s): each in time, and the pool recovers',
  async (name) => {
    stage.proxy.follow(always(name));
    const during = await sendMany(60, 2000);
    report(`faults: 60 requests on 50 sockets, ${name}`, { 'slowest answer, ms': during.slowest.toFixed(0) });
    expect(during.statuses).toEqual(new Set([503]));
    expect(during.slowest).toBeLessThan(2000 + during.stallMs);
    stage.proxy.follow(noFaults);
    expect((await stage.patch()).status).toBe(200);
    expect(stage.logged()).toMatchObject({ retries: 0, refusals: 0 });
    expect((await sendMany(20, 10_000)).statuses).toEqual(new Set([200]));
  },
);
