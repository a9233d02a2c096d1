import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createRandom } from '#test/proof/support/random.ts';
import { replayCommand, report, scale, seed } from '#test/proof/support/run.ts';
import { expectContract } from '#test/support/contract.ts';
import { openTables } from '#test/support/tables.ts';
import { inLanes } from './support/in-lanes.ts';
import { aRequest, goodRequests } from './support/requests.ts';
import { type Process, type Response, startProcess } from './support/start-process.ts';
import { fillWorld, idsOf, LANES, tenantOf } from './support/world.ts';

const FILE = 'test/proof/leaks/tenants.proof.ts';
const ALTERNATING = 10_000 * scale;
const AT_ONCE = 200;
const ROUNDS = 3 * scale;

let service: Process;
beforeAll(async () => {
  const tables = await openTables('tenants');
  await fillWorld(tables);
  service = await startProcess({ endpoint: inject('endpoint'), config: tables.config });
});
afterAll(() => service.stop());

type Answered = { readonly lane: number; readonly response: Response };
const names = [0, 1, 2].map(tenantOf);

/** The names and lanes in a text that are not this lane's own. */
const strangersIn = (text: string, lane: number): readonly string[] => [
  ...names.filter((name) => name !== tenantOf(lane) && text.includes(name)),
  ...[...text.matchAll(/lane-?(\d+)/g)].filter(([, other]) => Number(other) !== lane).map(([found]) => found),
];
const expectOwn = (text: string, lane: number) => {
  const strangers = strangersIn(text, lane);
  if (strangers.length > 0)
    expect.unreachable(`seed ${seed}, lane ${lane}: ${strangers.join()} in ${text}; ${replayCommand(FILE)}`);
};

let logged = 0;
/** Each answer and its line in the log know of nobody but the lane and tenant that asked. */
const expectOwnOnly = async (answered: readonly Answered[]) => {
  logged += answered.length;
  const lines = (await service.lines(logged)).slice(-answered.length);
  const byId = new Map(lines.map((line) => [JSON.parse(line).requestId, line]));
  expect(byId.size).toBe(answered.length);
  for (const { lane, response } of answered) {
    const line = byId.get(response.headers['x-request-id']) ?? '';
    expectOwn(JSON.stringify(expectContract(response)), lane);
    expectOwn(line, lane);
    if (response.statusCode !== 200) continue;
    const name = tenantOf(lane);
    const own = { tenantId: name, userId: `user-of-${name}`, keyId: `key-of-${name}`, ...idsOf(lane) };
    expect(JSON.parse(line)).toMatchObject({ ...own, status: 200 });
    expect(JSON.parse(response.body)).toMatchObject({ id: idsOf(lane).fileId, domain: name });
  }
};

test('the check itself finds a stranger', () => {
  expect(strangersIn('{"tenantId":"globex","fileId":"lane-3-file","summary":"lane12"}', 3)).toEqual([
    'globex',
    'lane12',
  ]);
});

test(`${ALTERNATING} requests of tenants in turn: no byte of another's`, async () => {
  const answered: Answered[] = [];
  const send = async (slot: number, turn: number) => {
    const lane = (turn + slot) % LANES;
    const random = createRandom(seed + Math.imul(turn, 0x9e3779b1));
    answered.push({ lane, response: await service.send(aRequest(random, lane, turn).event) });
  };
  await inLanes(ALTERNATING, send, 8);
  await expectOwnOnly(answered);
  const good = answered.filter(({ response }) => response.statusCode === 200).length;
  report('tenants in turn', { requests: ALTERNATING, 'answered 200:': good, 'bytes of another:': 0, seed });
});

test(`${AT_ONCE} requests of all tenants at once, ${ROUNDS} times: no byte of another's`, async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const send = async (_: unknown, turn: number): Promise<Answered> => {
      const lane = turn % LANES;
      return { lane, response: await service.send(goodRequests[0](lane, turn).event) };
    };
    const answered = await Promise.all(Array.from({ length: AT_ONCE }, send));
    expect(answered.filter(({ response }) => response.statusCode !== 200)).toEqual([]);
    await expectOwnOnly(answered);
  }
  report('tenants at once', {
    requests: ROUNDS * AT_ONCE,
    'answered 200:': ROUNDS * AT_ONCE,
    'bytes of another:': 0,
  });
});
