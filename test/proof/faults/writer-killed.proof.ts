import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { report, scale } from '#test/proof/support/run.ts';
import { always, noFaults } from './support/plan.ts';
import { openStage, type Stage } from './support/stage.ts';
import { startChild } from './support/start-child.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage('writer-killed');
});
afterEach(async () => {
  await stage.proxy.stop();
  vi.unstubAllEnvs();
});

/** Lets a process of its own send one PATCH, and kills it once its write has come this far. */
const killWriter = async (n: number, when: 'hang before' | 'hang after') => {
  const arrived = Promise.withResolvers<void>();
  const hang = always(when, 'write');
  stage.proxy.follow((call) => {
    if (call.kind === 'write') arrived.resolve();
    return hang(call);
  });
  const patch = { summary: `Summary ${n}.`, documentKind: null };
  const before = await stage.record();
  const child = startChild(stage.proxy.endpoint, stage.world.config, {
    files: [stage.file],
    writers: 1,
    load: { seed: n, patch, updates: 1 },
  });
  await arrived.promise;
  if (when === 'hang after')
    await vi.waitFor(async () => expect((await stage.record()).version).not.toBe(before.version));
  await child.kill();
  await expect(child.done).rejects.toThrow('gone');
  await stage.proxy.settled();
  stage.proxy.follow(noFaults);
  const after = await stage.record();
  return { before, after, applied: { ...before.snapshot, ...patch } };
};

const ROUNDS = 3 * scale;

test('a writer killed before its write is applied leaves the file as it was', async () => {
  for (let n = 0; n < ROUNDS; n += 1) {
    const { before, after } = await killWriter(n, 'hang before');
    expect(after).toEqual(before);
    expect((await stage.patch()).status).toBe(200);
  }
});

test('a writer killed between its write and the reply leaves all of the new values and nothing else', async () => {
  for (let n = 0; n < ROUNDS; n += 1) {
    const { before, after, applied } = await killWriter(n, 'hang after');
    expect(after).toEqual({
      ...before,
      snapshot: applied,
      version: after.version,
      requestId: after.requestId,
    });
    expect(after.version).toBeGreaterThan(before.version);
    // Set again, so that the next round has something to change.
    expect((await stage.patch({ patch: { documentKind: 'kind' } })).status).toBe(200);
  }
  report('faults: writers killed', { 'before the write': ROUNDS, 'before the reply': ROUNDS, mixtures: 0 });
});
