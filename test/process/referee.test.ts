import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { expect, inject, test } from 'vitest';
import { toFileView } from '#lib/domain/file.ts';
import { bugs, plant } from '#test/simulation/plant.ts';
import { forwardTo, type Reply, startServer } from '#test/support/server.ts';
import { transient } from './faults.ts';
import { buildFunction, idsOf, openLanes, recordOf, startFunction } from './harness.ts';
import { disagreements, type Observed } from './referee.ts';

buildFunction();
/** How many requests `npm test` sends. UPDATES=N sends more. */
const UPDATES = Number(process.env['UPDATES'] ?? 1_000);
const AT_ONCE = 24;

const pick = <Item>(items: readonly [Item, ...Item[]]): Item =>
  items[Math.floor(Math.random() * items.length)] ?? items[0];
const isLikely = (probability: number) => Math.random() < probability;

/** A proxy that loses, delays, doubles and breaks messages. It delays them by a number of other messages, not by time. */
const startNetwork = async () => {
  let isOver = false;
  const delayed = new Set<{ left: number; go: () => void }>();
  const later = async () => {
    const { promise, resolve: go } = Promise.withResolvers<void>();
    delayed.add({ left: Math.random() * 100, go });
    if (isOver) go();
    await promise;
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
  const broken = Object.entries(transient).filter(([name]) => !/hang|open|endless/.test(name));
  const faults = broken.map(([, fault]) => fault);
  const inFlight = new Set<Promise<unknown>>();
  const { endpoint } = await startServer(async (response, request) => {
    for (const one of delayed) {
      one.left -= 1;
      if (one.left < 0 && delayed.delete(one)) one.go();
    }
    const isWrite = `${request.headers['x-amz-target']}`.endsWith('UpdateItem');
    const fault = isLikely(0.5) ? pick(timing) : pick([forward, ...faults]);
    const message = Promise.resolve((isWrite && isLikely(0.2) ? fault : forward)(response, request));
    inFlight.add(message);
    await message;
    inFlight.delete(message);
  });
  /** Waits until every message has arrived. */
  const settle = async () => {
    isOver = true;
    for (const { go } of delayed) go();
    await Promise.all(inFlight);
  };
  return { endpoint, settle };
};

/**
 * Sends requests for four files through that network, many of them repetitions of others with the same idempotency key,
 * to two instances, which are killed now and then. Returns what the callers got, and what the stream says.
 */
const run = async (updates: number, options?: { file: string }) => {
  const tables = await openLanes(4);
  const network = await startNetwork();
  const start = () => startFunction(tables, network.endpoint, options);
  const instances = await Promise.all([start(), start()]);
  const observed: Observed[] = [];
  const keyed: { lane: number; summary: string; idempotencyKey: string }[] = [];

  const next = () => {
    const [lane, summary] = [pick([0, 1, 2, 3]), randomUUID()];
    const [repeated] = keyed.slice(-1 - Math.floor(Math.random() * 40));
    if (repeated && isLikely(0.3)) return isLikely(0.8) ? repeated : { ...repeated, summary };
    if (isLikely(0.5)) return { lane, summary, idempotencyKey: undefined };
    const one = { lane, summary, idempotencyKey: randomUUID() };
    keyed.push(one);
    return one;
  };
  const etags: string[] = [];
  const send = async () => {
    const { lane, summary, idempotencyKey } = next();
    const headers = {
      'idempotency-key': idempotencyKey,
      ...(isLikely(0.1) && { 'if-match': etags[lane] ?? '"7"' }),
    };
    const body = JSON.stringify({ summary, ...(isLikely(0.05) && { title: '' }) });
    const response = await pick(instances)
      .send(lane, { headers, body })
      .catch(() => undefined);
    etags[lane] = response?.headers['etag'] ?? '"7"';
    observed.push({ fileId: idsOf(lane).fileId, summary, idempotencyKey, response });
  };
  let left = updates;
  const sendInTurn = async () => {
    while (left > 0) {
      left -= 1;
      if (left % 250 === 249) {
        const killed = instances[0];
        instances.reverse();
        instances[1] = await start();
        await killed.kill();
      }
      await send();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sendInTurn));
  await network.settle();
  return { observed, changes: await tables.changes() };
};

test('the stream has what the callers got, whatever is lost, late, doubled or killed', {
  timeout: 120_000 + UPDATES * 50,
}, async () => {
  const { observed, changes } = await run(UPDATES);
  expect(disagreements(changes, observed)).toEqual([]);
  const kinds = Map.groupBy(observed, ({ response }) =>
    response?.headers['idempotency-replayed'] ? 'replayed' : (response?.statusCode ?? 'no response'),
  );
  const counts = [...kinds].map(([kind, { length }]) => `${kind}: ${length}`).join(', ');
  process.stdout.write(`${changes.filter(({ before }) => before).length} changes; ${counts}\n`);
  // Each kind occurs, so that each rule has something to judge.
  expect([...kinds.keys()]).toEqual(
    expect.arrayContaining([200, 'replayed', 400, 412, 422, 503, 'no response']),
  );
});

test.each([
  'the own request id is ignored',
  'a rejection after an unknown outcome is sent again, as before the rule',
])('the stream shows the bug: %s', async (name) => {
  const bug = bugs.find((one) => one.bug === name) ?? expect.unreachable();
  const file = fileURLToPath(await plant(bug, 'handlers/update-file.ts'));
  const found: string[] = [];
  for (let runs = 0; runs < 20 && found.length === 0; runs += 1) {
    const { observed, changes } = await run(200, { file });
    found.push(...disagreements(changes, observed));
  }
  expect(found[0]).toMatch(/ took effect /);
});

type Row = readonly [statusCode: number, summary: string, version?: number, isReplayed?: boolean];
/** A letter is a change: the summary of the file from then on. The versions are 1, 2 and so on. */
const judge = (history: string, rows: readonly Row[], rise = 1) => {
  const fileWith = (version: number) => ({ ...recordOf(0), version, summary: history[version - 1] ?? '' });
  const changes = [...history].map((_, at) => ({ before: fileWith(at + 1 - rise), after: fileWith(at + 1) }));
  const observed = rows.map(([statusCode, summary, version = 0, isReplayed = false]) => {
    const headers = { etag: `"${version}"`, 'x-request-id': '', 'idempotency-replayed': `${isReplayed}` };
    const body = JSON.stringify(toFileView(fileWith(version)));
    return { ...idsOf(0), summary, response: { statusCode, headers, body } };
  });
  return disagreements(changes, observed);
};
const allWritten = (history: string) => [...history].map((letter, at): Row => [200, letter, at + 1]);

test.each<[history: string, rows: readonly Row[], ...found: string[]]>([
  ['ab', [[412, 'c'], ...allWritten('ab')]],
  [
    'ab',
    [
      [503, 'a'],
      [503, 'c'],
      [200, 'a', 2, true],
      [200, 'b', 2],
    ],
  ],
  ['abcdefghia', allWritten('abcdefghia')],
  ['abcdefgha', allWritten('abcdefgha'), 'version 9: a took effect again, after 7 others'],
  ['ab', [[200, 'a', 1]], 'version 2 is of no request'],
  ['a', [[200, 'a', 2]], '200 with version 2: the stream has no such file'],
  [
    'ab',
    [
      [503, 'a'],
      [200, 'a', 2],
      [503, 'b'],
    ],
    '200 with version 2: a is not among 1 changes',
  ],
  [
    'abcdefghi',
    [...allWritten('abcdefghi'), [200, 'a', 9, true]],
    '200 with version 9: a is not among 8 changes',
  ],
  [
    'a',
    [
      [200, 'a', 1],
      [200, 'a', 1],
    ],
    'version 1: 2 requests have written it',
  ],
  ['a', [[412, 'a']], 'a took effect 1 times, with 412'],
  ['abcdefghia', [[503, 'a'], ...allWritten('abcdefghi').slice(1)], 'a took effect 2 times, with 503'],
])('compares the changes %s with the responses %j', (history, rows, ...found) => {
  expect(judge(history, rows).slice(0, 1)).toEqual(found);
});

test('a version that does not rise is found', () => {
  expect(judge('a', [[200, 'a', 1]], 0)).toEqual(['version 1 does not rise']);
});
