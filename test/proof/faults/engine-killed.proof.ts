import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { replayCommand, report, scale, seed } from '#test/proof/support/run.ts';
import { useEndpoint } from '#test/support/endpoint.ts';
import { apiKeys } from './support/api-keys.ts';
import { checkHistory } from './support/check-history.ts';
import { openInstance } from './support/instances.ts';
import { countStatuses, runLoad } from './support/load.ts';
import { openOwnTables, startOwnEngine } from './support/own-engine.ts';
import { openWorld } from './support/world.ts';
import { openWriter } from './support/writer.ts';

const KILLS = 5 * scale;
/** Acknowledged writes between one kill and the next. */
const WRITES = 60;

let folder: string;
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

test('an engine killed in the middle of its work and opened again holds every acknowledged write', async () => {
  folder = await mkdtemp(join(tmpdir(), 'space-files-'));
  const engine = await startOwnEngine(join(folder, 'engine.db'));
  const world = await openWorld('killed', 4, await openOwnTables(engine.endpoint));
  useEndpoint(engine.endpoint);

  let acknowledged = 0;
  let kills = 0;
  let reopening = Promise.resolve();
  const writers = Array.from({ length: 6 }, (_, n) => {
    const write = openWriter({
      instance: openInstance(world.config, { seed: seed + n }),
      apiKey: apiKeys[n % 4],
    });
    return async (...update: Parameters<typeof write>) => {
      const told = await write(...update);
      acknowledged += told.status === 200 ? 1 : 0;
      if (kills < KILLS && acknowledged >= WRITES * (kills + 1)) {
        kills += 1;
        reopening = reopening.then(engine.killAndReopen);
      }
      return told;
    };
  });
  const operations = await runLoad(world.files, writers, {
    seed,
    updates: WRITES * (KILLS + 2),
    conditional: 20,
  });
  await reopening;
  const problems = checkHistory(await world.histories(operations), { slackMs: 1 });
  report('faults: engine killed', { kills, ...countStatuses(operations), problems: problems.length });
  await engine.stop();

  const replay = replayCommand('test/proof/faults/engine-killed.proof.ts');
  expect(problems, replay).toEqual([]);
  expect(kills, replay).toBe(KILLS);
});
