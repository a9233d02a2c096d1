import { expect, test } from 'vitest';
import { createRandom } from '#test/proof/support/random.ts';
import { replayCommand, report, scale, seed } from '#test/proof/support/run.ts';
import { type Cell, cellsOf, issuedKeys, keys, tell } from './cells.ts';
import { openEngineTables } from './engines/engine-tables.ts';
import { openMemoryTables } from './engines/memory-tables.ts';
import { recorded } from './engines/recorder.ts';
import { fillTables } from './matrix-fixture.ts';
import { verdictOf } from './oracle.ts';
import { startMatrix } from './send-cell.ts';

const replay = `Replay with: ${replayCommand('test/proof/access/stand-in.proof.ts')}`;
const SAMPLE = 25 * scale;

/** As many cells of each answer as there are, at most SAMPLE: most cells are refused early, and alike. */
const sample = (random: () => number): readonly Cell[] => {
  const cells = keys.flatMap(cellsOf).map((cell) => ({ cell, order: random() }));
  const byAnswer = Map.groupBy(cells, ({ cell }) => {
    const { status, message } = verdictOf(cell);
    return `${status} ${message}`;
  });
  return [...byAnswer.values()].flatMap((alike) =>
    alike
      .toSorted((a, b) => a.order - b.order)
      .slice(0, SAMPLE)
      .map(({ cell }) => cell),
  );
};

test('the stand-in answers like the real engine, and the engine as the contract promises', async () => {
  const cells = sample(createRandom(seed));
  const tablesOf = [recorded(await openEngineTables('stand-in')), recorded(openMemoryTables())] as const;
  const used = issuedKeys.filter((key) => cells.some((cell) => cell.key === key));
  for (const tables of tablesOf) await fillTables(tables, used);
  const onEngine = await startMatrix(tablesOf[0]);
  const inMemory = await startMatrix(tablesOf[1]);

  const differences: string[] = [];
  for (const cell of cells) {
    const there = await onEngine.send(cell);
    expect(await inMemory.send(cell), `${tell(cell)}\n${replay}`).toEqual(there);
    differences.push(...there.differences);
  }
  expect(await tablesOf[1].everything(), replay).toEqual(await tablesOf[0].everything());
  report('authorisation matrix on the engine', { cells: cells.length, differences: differences.length });
  expect(differences, replay).toEqual([]);
});
