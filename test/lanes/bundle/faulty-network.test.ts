import { fileURLToPath } from 'node:url';
import { expect, inject, test } from 'vitest';
import { bugs, plant } from '#test/simulation/plant.ts';
import { createRandom } from '#test/support/random.ts';
import { forwardTo, type Reply, startServer } from '#test/support/server.ts';
import { transient } from './http-faults.ts';
import { judge, type Observed } from './judge.ts';
import { buildFunction, idsOf, openSpaces, startFunction } from './lambda-function.ts';

buildFunction();
/** How many requests are sent. */
const UPDATES = Number(process.env['UPDATES'] ?? 500);
/** Draws the requests and the faults of their messages. SEED repeats those of an earlier run. */
const SEED = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31));

/** Numbers that are drawn for one purpose, whatever happens at the same time. */
const draw = (...purpose: readonly number[]) => {
  const random = createRandom(purpose.reduce((sum, part) => Math.imul(sum, 31) + part, SEED));
  return {
    pick: <Item>(items: readonly [Item, ...Item[]]): Item =>
      items[Math.floor(random() * items.length)] ?? items[0],
    isLikely: (probability: number) => random() < probability,
    upTo: (count: number) => Math.floor(random() * count),
  };
};
type Draw = ReturnType<typeof draw>;

/** A proxy that loses, delays, doubles and breaks messages. It delays them until others have come, not by time. */
const startNetwork = async () => {
  let isOver = false;
  let arrived = 0;
  const delayed = new Set<() => void>();
  const later = () => new Promise<void>((go) => void (isOver ? go() : delayed.add(go)));
  const release = (isReleased: () => boolean) => {
    for (const go of delayed) if (isReleased() && delayed.delete(go)) go();
  };
  const forward = forwardTo(inject('endpoint'));
  const timing: [Reply, ...Reply[]] = [
    // The message arrives after its sender has given up.
    async (response, { deliver }) => {
      response.destroy();
      await later();
      await deliver();
    },
    // The reply is lost after others have written.
    async (response, { deliver }) => {
      await deliver();
      await later();
      response.destroy();
    },
    // A copy arrives later than the message.
    async (response, request) => {
      await forward(response, request);
      await later();
      await request.deliver();
    },
  ];
  const faults = Object.entries(transient).flatMap(([name, fault]) =>
    /hang|open|endless/.test(name) ? [] : [fault],
  );
  const replyBy = ({ isLikely, pick }: Draw): Reply => {
    if (!isLikely(0.2)) return forward;
    return isLikely(0.5) ? pick(timing) : pick([forward, ...faults]);
  };
  const attempts = new Map<string, number>();
  const messages: unknown[] = [];
  const { endpoint } = await startServer(async (response, request) => {
    const { isLikely } = draw(1, arrived++);
    release(() => isLikely(0.02));
    // The summary has the number of the request that the message is of.
    const [, number] = /"summary (\d+)"/.exec(request.body) ?? [];
    if (number === undefined) return void messages.push(forward(response, request));
    const attempt = attempts.get(number) ?? 0;
    attempts.set(number, attempt + 1);
    messages.push(replyBy(draw(2, Number(number), attempt))(response, request));
  });
  /** Waits until every message has arrived. */
  const settle = async () => {
    isOver = true;
    release(() => true);
    await Promise.all(messages);
  };
  return { endpoint, settle };
};

/**
 * Sends requests for four files through that network to two instances, which are killed now and then. Many requests
 * repeat others with their idempotency key. Returns what the callers got, and what the stream has.
 */
const run = async (updates: number, options?: { file: string }) => {
  const tables = await openSpaces(4);
  const network = await startNetwork();
  const start = () => startFunction(tables, network.endpoint, options);
  const instances = await Promise.all([start(), start()]);
  const observed: Observed[] = [];
  const keyed: { space: number; summary: string }[] = [];
  const etags: string[] = [];
  const wrong: string[] = [];

  const send = async (number: number) => {
    const { isLikely, pick, upTo } = draw(3, number);
    const idempotencyKey = isLikely(0.5) ? `key ${SEED} ${number}` : undefined;
    const fresh = { space: pick([0, 1, 2, 3]), summary: `summary ${number}`, idempotencyKey };
    const [earlier] = isLikely(0.3) ? keyed.slice(-1 - upTo(40)) : [];
    // Some use the key for another body.
    const request = { ...fresh, ...earlier, ...(isLikely(0.2) && { summary: fresh.summary }) };
    if (request.idempotencyKey) keyed.push(request);
    const { space, summary } = request;
    const match = isLikely(0.1) && { 'if-match': etags[space] ?? '"7"' };
    const body = JSON.stringify({ summary, ...(isLikely(0.05) && { 'no such field': '' }) });
    const headers = { 'idempotency-key': request.idempotencyKey, ...match };
    const sent = pick(instances).send(space, { headers, body });
    const { response } = await sent.catch((error: Error) => {
      // There is none if the process has ended. One that openapi.yaml does not describe fails the test.
      if (error.name === 'AssertionError') wrong.push(error.message);
      return { response: undefined };
    });
    etags[space] = response?.headers['etag'] ?? '"7"';
    observed.push({ ...request, fileId: idsOf(space).fileId, response });
  };
  let left = updates;
  const sendInTurn = async () => {
    while (left > 0) {
      left -= 1;
      // Others go on while this one waits for an instance.
      const number = left;
      const slot = Math.floor(number / 250) % 2;
      if (number % 250 === 249) {
        const killed = instances[slot];
        instances[slot] = await start();
        await killed?.kill();
      }
      await send(number);
    }
  };
  await Promise.all(Array.from({ length: 24 }, sendInTurn));
  await network.settle();
  expect(wrong).toEqual([]);
  return { observed, changes: await tables.changes() };
};

test('the stream agrees with what the callers got, whatever is lost, late, doubled or killed', {
  timeout: 600_000 + UPDATES * 200,
}, async () => {
  const { observed, changes } = await run(UPDATES);
  process.stdout.write(`SEED=${SEED} UPDATES=${UPDATES}\n`);
  expect(judge(changes, observed), `repeat the requests and faults: SEED=${SEED} UPDATES=${UPDATES}`).toEqual(
    [],
  );
  const kinds = Map.groupBy(observed, ({ response }) =>
    response?.headers['idempotency-replayed'] ? 'replayed' : (response?.statusCode ?? 'no response'),
  );
  const counts = [...kinds].map(([kind, { length }]) => `${kind}: ${length}`).join(', ');
  process.stdout.write(`${changes.filter(({ before }) => before).length} changes; ${counts}\n`);
  // Each kind occurs, so that each rule has something to judge.
  const all = [200, 'replayed', 400, 412, 422, 503, 'no response'];
  expect([...kinds.keys()]).toEqual(expect.arrayContaining(all));
});

test.each([
  'the own request id is ignored',
  'a rejection after an unknown outcome is sent again, as before the rule',
])('the stream disagrees when %s', async (name) => {
  const bug = bugs.find((one) => one.bug === name) ?? expect.unreachable();
  const file = fileURLToPath(await plant(bug, 'handlers/update-file.ts'));
  let found = '';
  for (let runs = 0; runs < 20 && !found.includes(' took effect '); runs += 1) {
    const { observed, changes } = await run(200, { file });
    found = judge(changes, observed).join('\n');
  }
  expect(found).toContain(' took effect ');
});
