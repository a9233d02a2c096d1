import { expect, test } from 'vitest';
import { replayCommand, report } from '#test/proof/support/run.ts';
import { cellsOf, issuedKeys, keys } from './cells.ts';
import { openMemoryTables } from './engines/memory-tables.ts';
import { recorded } from './engines/recorder.ts';
import { fillTables } from './matrix-fixture.ts';
import { startMatrix } from './send-cell.ts';

const FILE = 'test/proof/access/matrix.proof.ts';

const theBestKey = issuedKeys.filter(({ sent }) => sent === 'good PRODUCT admin');

test('every cell of access is answered as the contract promises', async () => {
  const differences: string[] = [];
  const counts = { cells: 0, allowed: 0 };
  for (const key of keys) {
    const tables = recorded(openMemoryTables());
    await fillTables(tables, 'scope' in key ? [...theBestKey, key] : theBestKey);
    const matrix = await startMatrix(tables);
    for (const cell of cellsOf(key)) {
      const { verdict, differences: found } = await matrix.send(cell);
      counts.cells += 1;
      if (verdict.status === 200) counts.allowed += 1;
      differences.push(...found);
    }
  }
  report('authorisation matrix', {
    ...counts,
    refused: counts.cells - counts.allowed,
    differences: differences.length,
  });
  expect(differences.slice(0, 10), `Replay with: ${replayCommand(FILE)}`).toEqual([]);
});
