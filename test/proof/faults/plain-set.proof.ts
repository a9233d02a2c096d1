import { afterEach, expect, test, vi } from 'vitest';
import { replayCommand, report, scale, seed } from '#test/proof/support/run.ts';
import { onStore } from './support/instances.ts';
import { runMix } from './support/mix.ts';
import { openPlainStore } from './support/plain-store.ts';

afterEach(() => void vi.unstubAllEnvs());

const replay = replayCommand('test/proof/faults/plain-set.proof.ts');
const run = (share: number, updates: number) =>
  runMix({
    seed,
    share,
    updates: updates * scale,
    conditional: 0,
    open: (config) => onStore(openPlainStore(config)),
    slackMs: 0,
  });

/*
 * The suite is worth as much as what it catches. The same load, proxy and checker, over a plain SET with the SDK's own
 * retries in place of the fence.
 */
test('without the fence acknowledged writes are lost, and the checker says so', async () => {
  const { problems, figures } = await run(35, 1200);
  const lost = problems.filter(({ rule }) => rule === 'older value came back');
  report('faults: 35 % without the fence', { ...figures, 'acknowledged writes lost': lost.length });
  expect(problems, replay).not.toEqual([]);
  expect(lost.length, replay).toBeGreaterThan(0);
});

test('without the fence and without faults nothing is wrong: it is the faults that it fails to withstand', async () => {
  const { problems, figures } = await run(0, 600);
  report('faults: none, without the fence', figures);
  expect(problems, replay).toEqual([]);
});
