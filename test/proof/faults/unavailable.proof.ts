import dns from 'node:dns';
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest';
import { report } from '#test/proof/support/run.ts';
import { expectContract } from '#test/support/contract.ts';
import { useEndpoint } from './support/endpoint.ts';
import { always, inTurn, noFaults } from './support/plan.ts';
import { startFaultProxy } from './support/proxy.ts';
import { openStage, type Stage } from './support/stage.ts';
import { openStore } from './support/stores.ts';
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
const portOf = ({ endpoint }: { endpoint: string }) => Number(new URL(endpoint).port);

test('connection refused, for ever: 503 before the deadline', async () => {
  await stage.proxy.stop();
  const told = await stage.patch({ remainingMs: 1500 });
  expect(told.status).toBe(503);
  expect(told.answered - told.began).toBeLessThan(1500);
});

test('connection refused until the engine is there: 200', async () => {
  await stage.proxy.stop();
  const waiting = stage.patch();
  await vi.waitFor(() => expect(refusedOnce).toHaveBeenCalled());
  const back = await startFaultProxy(inject('endpoint'), noFaults, portOf(stage.proxy));
  const told = await waiting;
  await back.stop();
  expect(told.status).toBe(200);
  expect(stage.logged()['retries']).toBeGreaterThan(0);
});
