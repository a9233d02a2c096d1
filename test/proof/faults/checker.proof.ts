import { expect, test } from 'vitest';
import { createRandom } from '#test/proof/support/random.ts';
import { replayCommand, report, seed } from '#test/proof/support/run.ts';
import { checkHistory } from './support/check-history.ts';
import type { Operation } from './support/history.ts';
import { uniquePatch } from './support/load.ts';
import { plantedHistories } from './support/planted.ts';
import { soundHistories } from './support/sound.ts';

test.each(Object.entries(soundHistories))('finds nothing wrong where nothing is: %s', (_, history) => {
  expect(checkHistory([history])).toEqual([]);
});

test.each(plantedHistories)('finds what was planted: %s', (_, rule, history) => {
  expect(checkHistory([history]).map((problem) => problem.rule)).toContain(rule);
});

test('a difference of clocks is forgiven to unknown writes, and only to them', () => {
  const late = plantedHistories.find(([name]) => name === 'late surfacing')?.[2];
  const lost = plantedHistories.find(([name]) => name === 'lost write')?.[2];
  if (!late || !lost) throw new Error('not planted');
  expect(checkHistory([late], { slackMs: 8 })).toEqual([]);
  expect(checkHistory([lost], { slackMs: 1000 })).not.toEqual([]);
});

/** Writes one after the other; the outcome of one in ten is not told, and half of those were applied. */
const simulate = (count: number) => {
  const random = createRandom(seed);
  const before = { version: 0, summary: null, documentKind: null, rest: '' };
  let state: Operation['snapshot'] = before;
  let last = { version: 0, requestId: '' };
  const operations = Array.from({ length: count }, (_, n): Operation => {
    const patch = uniquePatch(random, `${n}`);
    const common = { id: `request ${n}`, patch, began: n, answered: n + 0.5, limitMs: 1, repeated: false };
    const isTold = random() < 0.9;
    if (!isTold && random() < 0.5) return { ...common, status: 503 };
    state = { ...before, ...state, ...patch };
    last = { version: n + 1, requestId: common.id };
    const { summary, documentKind, rest } = state;
    const told = { status: 200, version: n + 1, snapshot: { summary, documentKind, rest } };
    return { ...common, ...(isTold ? told : { status: 503 }) };
  });
  return {
    file: 'file-1',
    before,
    operations,
    after: { ...before, ...state, ...last },
    hidden: { before: '', after: '' },
  };
};

test('100,000 operations on one file are judged in seconds, and one lost write among them is found', () => {
  const history = simulate(100_000);
  const started = performance.now();
  expect(checkHistory([history])).toEqual([]);
  report('faults: checker', { operations: 100_000, ms: (performance.now() - started).toFixed(0) });

  const index = history.operations.findIndex(
    ({ status, patch }, n) =>
      n > 50_000 &&
      status === 200 &&
      typeof patch.summary === 'string' &&
      history.operations[n + 1]?.status === 200 &&
      history.operations[n + 1]?.patch.summary === undefined,
  );
  const operations = history.operations.map((operation, n) =>
    n === index + 1 && operation.snapshot
      ? { ...operation, snapshot: { ...operation.snapshot, summary: 's 1' } }
      : operation,
  );
  const problems = checkHistory([{ ...history, operations }]);
  const replay = replayCommand('test/proof/faults/checker.proof.ts');
  expect(
    problems.map(({ operation }) => operation),
    replay,
  ).toContain(`request ${index + 1}`);
});
