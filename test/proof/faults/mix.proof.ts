import { afterEach, expect, test, vi } from 'vitest';
import { replayCommand, report, scale, seed } from '#test/proof/support/run.ts';
import { faults } from './support/faults.ts';
import { openInstance } from './support/instances.ts';
import { runMix } from './support/mix.ts';

afterEach(() => void vi.unstubAllEnvs());

const MAX_SKEW_MS = 3;
/** The clocks of two writers differ by this much at most, and are read in whole milliseconds. */
const slackMs = MAX_SKEW_MS + 1;

const anInstance: Parameters<typeof runMix>[0]['open'] = (config, n) =>
  openInstance(config, { skewMs: n % (MAX_SKEW_MS + 1), seed: seed + n });

const replay = replayCommand('test/proof/faults/mix.proof.ts');
let injected = 0;
const injectedKinds = new Set<string>();

test.each([
  { share: 5, updates: 1000 },
  { share: 20, updates: 1600 },
  { share: 50, updates: 2400 },
])('nothing is lost when $share % of all calls go wrong', async ({ share, updates }) => {
  const { problems, kinds, statuses, afterwards, figures } = await runMix({
    seed: seed + share,
    share,
    updates: updates * scale,
    conditional: 20,
    open: anInstance,
    slackMs,
  });
  report(`faults: ${share} %`, figures);
  injected += figures.faults;
  for (const kind of kinds) injectedKinds.add(kind);
  expect(problems, replay).toEqual([]);
  expect(Object.keys(statuses), replay).toEqual(expect.arrayContaining(['200', '412']));
  expect(afterwards, `the next request of each writer is healthy: ${replay}`).toEqual({ 200: 8 });
});

test('all kinds of faults were injected, 5,000 of them', () => {
  report('faults: all mixes', { faults: injected, 'kinds of fault': injectedKinds.size });
  expect([...injectedKinds].sort(), replay).toEqual(Object.keys(faults).sort());
  expect(injected, replay).toBeGreaterThanOrEqual(5000 * scale);
});
