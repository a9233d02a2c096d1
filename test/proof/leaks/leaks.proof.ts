import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createRandom, pick } from '#test/proof/support/random.ts';
import { replayCommand, report, scale, seed } from '#test/proof/support/run.ts';
import { openTables, type Tables } from '#test/support/tables.ts';
import { startFaultProxy } from './support/fault-proxy.ts';
import { faults } from './support/faults.ts';
import { inLanes } from './support/in-lanes.ts';
import { expectCleanLog, expectNoSecret } from './support/leak-check.ts';
import { aRequest, goodRequests } from './support/requests.ts';
import { type Process, type Response, startProcess } from './support/start-process.ts';
import { fillWorld, LANES } from './support/world.ts';

const FILE = 'test/proof/leaks/leaks.proof.ts';
const PLAIN = 18_000 * scale;
const FAULTED = 2_000 * scale;
/** A request whose read takes all its time on a busy machine never meets a fault of its write. */
const SENT = Math.ceil(FAULTED * 1.1);

let tables: Tables;
const started: Process[] = [];
beforeAll(async () => {
  tables = await openTables('leaks');
  await fillWorld(tables);
});
afterAll(() => Promise.all(started.map(({ stop }) => stop())));
const start = async (endpoint: string) => {
  const service = await startProcess({ endpoint, config: tables.config });
  started.push(service);
  return service;
};
const randomOf = (turn: number) => createRandom(seed + Math.imul(turn, 0x9e3779b1));
const cleanLog = async (service: Process, answers: readonly Response[]) =>
  expectCleanLog(
    { lines: await service.lines(answers.length), stderr: service.printed().stderr },
    answers,
    FILE,
  );

test(`${PLAIN} requests: no secret in an answer, on stdout or on stderr`, async () => {
  const service = await start(inject('endpoint'));
  const answers: Response[] = [];
  await inLanes(PLAIN, async (lane, turn) => {
    const { event, status } = aRequest(randomOf(turn), lane, turn);
    const response = await service.send(event);
    expectNoSecret(response, lane, FILE);
    if (response.statusCode !== status)
      expect.unreachable(
        `seed ${seed}, turn ${turn}: ${status} became ${JSON.stringify(response)}; ${replayCommand(FILE)}`,
      );
    answers.push(response);
  });
  await cleanLog(service, answers);
  report('leaks', { requests: PLAIN, 'log lines:': answers.length, 'secrets seen:': 0, seed });
});

test(`${SENT} requests, ${FAULTED} of them faulted: no secret in an answer, on stdout or on stderr, and then all is well`, async () => {
  const proxy = await startFaultProxy(inject('endpoint'));
  const service = await start(proxy.endpoint);
  const answers: Response[] = [];
  const send = async (
    lane: number,
    make: (lane: number, turn: number) => { event: unknown },
    turn: number,
  ) => {
    const response = await service.send(make(lane, turn).event, 2_500);
    expectNoSecret(response, lane, FILE);
    answers.push(response);
    return response.statusCode;
  };
  const statuses = new Map<number, number>();
  await inLanes(SENT, async (lane, turn) => {
    const random = randomOf(turn);
    proxy.plan(lane, {
      fault: pick(random, faults),
      call: random() < 0.3 ? 'read' : 'write',
      always: random() < 0.04,
    });
    const status = await send(lane, pick(random, goodRequests), turn);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  });
  expect(proxy.faulted()).toBeGreaterThanOrEqual(FAULTED);
  proxy.heal();
  const afterwards = await Promise.all(
    Array.from({ length: LANES }, (_, lane) => send(lane, goodRequests[0], SENT + lane)),
  );
  expect(new Set(afterwards)).toEqual(new Set([200]));
  await cleanLog(service, answers);
  await proxy.stop();
  report('leaks under faults', {
    requests: SENT,
    faulted: proxy.faulted(),
    kinds: faults.length,
    ...Object.fromEntries([...statuses].toSorted().map(([status, count]) => [`answered ${status}:`, count])),
    'log lines:': answers.length,
    'secrets seen:': 0,
    seed,
  });
});

test('with nobody reading stdout, requests are still answered', async () => {
  const service = await start(inject('endpoint'));
  expect((await service.send(goodRequests[0](0, 1).event)).statusCode).toBe(200);
  service.child.stdout?.destroy();
  const statuses: number[] = [];
  for (let turn = 2; turn < 202; turn += 1)
    statuses.push((await service.send(goodRequests[0](0, turn).event)).statusCode);
  expect(statuses).toEqual(Array(200).fill(200));
  expect(service.printed().stderr).toBe('');
  report('closed stdout', { requests: 200, 'answered 200:': 200 });
});
