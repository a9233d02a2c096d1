import { createHash } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { createRandom } from '#test/proof/support/random.ts';
import { report, scale, seed } from '#test/proof/support/run.ts';
import { openTables, type Tables } from '#test/support/tables.ts';
import { allGenerators } from './generators/all.ts';
import { canonical } from './support/canonical.ts';
import { counted } from './support/counted-client.ts';
import { expectQuick } from './support/expect-quick.ts';
import { apiKeys, files, spaces } from './support/fixtures.ts';
import type { BadRequest } from './support/generator.ts';
import { config, createMemoryClient } from './support/memory-client.ts';
import { createBadRequestRunner } from './support/run-bad-request.ts';
import { toEvent } from './support/to-event.ts';

const FILE = 'test/proof/input/bad-requests.proof.ts';
const REQUESTS = 200_000 * scale;
const HEAVY_EACH = Math.ceil(4 * scale);
const ON_THE_ENGINE = 2_000 * scale;
const good: BadRequest = { expected: ['200'] };

const heavy = allGenerators.filter((generator) => generator.heavy);
const light = allGenerators.filter((generator) => !generator.heavy);
const pickTurn = <Item>(list: readonly Item[], turn: number): Item => {
  const item = list[turn % list.length];
  if (item === undefined) throw new Error('an empty list');
  return item;
};

test('at least 40 generators, each with a name of its own', () => {
  expect(new Set(allGenerators.map(({ name }) => name)).size).toBe(allGenerators.length);
  expect(allGenerators.length).toBeGreaterThanOrEqual(40);
});

test(`${REQUESTS} bad requests: each refused as its generator says, none writes, none takes long`, async () => {
  const memory = createMemoryClient();
  const random = createRandom(seed);
  const { run, send } = createBadRequestRunner({ ...memory, config }, FILE);
  // Else a stand-in that refuses everything would pass for a service that does.
  expect([
    await send(toEvent(good, { random, format: '2.0' })),
    await send(toEvent(good, { random, format: '1.0' })),
  ]).toMatchObject([{ statusCode: 200 }, { statusCode: 200 }]);
  expect(memory.counts.applied).toBe(2);

  const worst = { ms: 0, generator: '' };
  const statuses = new Map<number, number>();
  const heavyRequests = heavy.length * HEAVY_EACH;
  const started = performance.now();
  for (let turn = 0; turn < REQUESTS; turn += 1) {
    const generator = turn < heavyRequests ? pickTurn(heavy, turn) : pickTurn(light, turn);
    const { ms, status } = await run(generator, turn);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (ms > worst.ms) Object.assign(worst, { ms, generator: generator.name });
    expectQuick(ms, generator.name, turn, FILE);
  }
  report('bad requests', {
    generators: allGenerators.length,
    requests: REQUESTS,
    ...Object.fromEntries([...statuses].toSorted().map(([status, count]) => [`answered ${status}:`, count])),
    'answered 5xx:': 0,
    'writes applied:': 0,
    'worst CPU in ms:': `${worst.ms.toFixed(1)} (${worst.generator})`,
    seconds: ((performance.now() - started) / 1000).toFixed(0),
    seed,
  });
});

let tables: Tables;
beforeAll(async () => {
  tables = await openTables('bad-requests');
  await Promise.all(apiKeys.map(tables.putApiKey));
  await Promise.all([...spaces.map(tables.putSpace), ...files.map(tables.putFile)]);
});
const digest = async () =>
  createHash('sha256')
    .update(canonical(await tables.everything()))
    .digest('hex');

test(`${ON_THE_ENGINE} of them on a real engine leave every table as it was`, async () => {
  const { run } = createBadRequestRunner({ ...counted(tables.client), config: tables.config }, FILE);
  const before = await digest();
  for (let turn = 0; turn < ON_THE_ENGINE; turn += 1) await run(pickTurn(light, turn), turn);
  expect(await digest()).toBe(before);
  report('bad requests on a real engine', { requests: ON_THE_ENGINE, 'tables changed:': 0, seed });
});
