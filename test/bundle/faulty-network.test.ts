import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { expect, inject, test } from 'vitest';
import { toFileView } from '#lib/domain/file.ts';
import { bugs, plant } from '#test/simulation/plant.ts';
import { forwardTo, type Reply, startServer } from '#test/support/server.ts';
import { transient } from './http-faults.ts';
import { judge, type Observed } from './judge.ts';
import { buildFunction, idsOf, openSpaces, recordOf, startFunction } from './lambda-function.ts';

buildFunction();
/** How many requests `npm test` sends. UPDATES=N sends more. */
const UPDATES = Number(process.env['UPDATES'] ?? 1_000);

const pick = <Item>(items: readonly [Item, ...Item[]]): Item =>
  items[Math.floor(Math.random() * items.length)] ?? items[0];
const isLikely = (probability: number) => Math.random() < probability;

/** A proxy that loses, delays, doubles and breaks messages. It delays them until others have come, not by time. */
const startNetwork = async () => {
  let isOver = false;
  const delayed = new Set<() => void>();
  const later = () => new Promise<void>((go) => void (isOver ? go() : delayed.add(go)));
  const release = (probability: number) => {
    for (const go of delayed) if (isLikely(probability) && delayed.delete(go)) go();
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
  const messages: unknown[] = [];
  const { endpoint } = await startServer(async (response, request) => {
    release(0.02);
    const isFaulty = isLikely(0.2) && `${request.headers['x-amz-target']}`.endsWith('UpdateItem');
    const fault = isLikely(0.5) ? pick(timing) : pick([forward, ...faults]);
    messages.push((isFaulty ? fault : forward)(response, request));
  });
  /** Waits until every message has arrived. */
  const settle = async () => {
    isOver = true;
    release(1);
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

  const send = async () => {
    const idempotencyKey = isLikely(0.5) ? randomUUID() : undefined;
    const fresh = { space: pick([0, 1, 2, 3]), summary: randomUUID(), idempotencyKey };
    const [earlier] = isLikely(0.3) ? keyed.slice(-1 - Math.floor(Math.random() * 40)) : [];
    // Some use the key for another body.
    const request = { ...fresh, ...earlier, ...(isLikely(0.2) && { summary: fresh.summary }) };
    if (request.idempotencyKey) keyed.push(request);
    const { space, summary } = request;
    const match = isLikely(0.1) && { 'if-match': etags[space] ?? '"7"' };
    const body = JSON.stringify({ summary, ...(isLikely(0.05) && { 'no such field': '' }) });
    const headers = { 'idempotency-key': request.idempotencyKey, ...match };
    const sent = pick(instances).send(space, { headers, body });
    const response = await sent.catch((error: Error) => {
      // There is none if the process has ended. One that openapi.yaml does not describe fails the test.
      if (error.name === 'AssertionError') wrong.push(error.message);
      return undefined;
    });
    etags[space] = response?.headers['etag'] ?? '"7"';
    observed.push({ ...request, fileId: idsOf(space).fileId, response });
  };
  let left = updates;
  const sendInTurn = async () => {
    while (left > 0) {
      left -= 1;
      const slot = Math.floor(left / 250) % 2;
      if (left % 250 === 249) {
        const killed = instances[slot];
        instances[slot] = await start();
        await killed?.kill();
      }
      await send();
    }
  };
  await Promise.all(Array.from({ length: 24 }, sendInTurn));
  await network.settle();
  expect(wrong).toEqual([]);
  return { observed, changes: await tables.changes() };
};

test('the stream agrees with what the callers got, whatever is lost, late, doubled or killed', {
  timeout: 120_000 + UPDATES * 50,
}, async () => {
  const { observed, changes } = await run(UPDATES);
  expect(judge(changes, observed)).toEqual([]);
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

/** The update of a file to a version, from the version before. */
const update = (version: number, summary: string, language = 'en') => ({
  before: { ...recordOf(0), version: version - 1 },
  after: { ...recordOf(0), version, summary, language },
});
/** Updates to versions 1, 2 and so on: each letter is a summary. */
const updates = (letters: string) => [...letters].map((letter, at) => update(at + 1, letter));
/** A request for a summary, and its response with a version of the file. */
const got = (statusCode: number, summary: string, version = 0, isReplayed = false): Observed => {
  const headers = { etag: `"${version}"`, 'x-request-id': '', 'idempotency-replayed': `${isReplayed}` };
  const body = JSON.stringify(toFileView(update(version, summary).after));
  return { ...idsOf(0), summary, response: { statusCode, headers, body } };
};
const others = [...'bcdefghi'].map((summary, at) => got(200, summary, at + 2));

test.each([
  ['a replayed 200', updates('a'), [got(503, 'a'), got(200, 'a', 1, true)]],
  ['a 4xx without an update', updates('a'), [got(412, 'b'), got(200, 'a', 1)]],
  [
    'a repetition after eight others',
    updates('abcdefghia'),
    [got(200, 'a', 1), ...others, got(200, 'a', 10)],
  ],
])('the comparison accepts %s', (_, changes, observed) => {
  expect(judge(changes, observed)).toEqual([]);
});

test.each([
  [
    'version 9: b took effect again',
    updates('bcdefghib'),
    [got(200, 'b', 1), ...[...'cdefghi'].map((summary) => got(503, summary)), got(200, 'b', 9)],
  ],
  ['version 1 does not rise', [{ ...update(1, 'a'), before: recordOf(0) }], [got(200, 'a', 1)]],
  ['version 1 changes other attributes', [update(1, 'a', 'fr')], [got(503, 'a')]],
  ['version 2 is of no request', updates('ab'), [got(200, 'a', 1)]],
  ['200 with version 2: the stream has no such file', updates('a'), [got(200, 'a', 2)]],
  ['200 with version 2: the file does not remember a', updates('ab'), [got(200, 'a', 2), got(503, 'b')]],
  [
    '200 with version 9: the file does not remember a',
    updates('abcdefghi'),
    [got(200, 'a', 1), ...others, got(200, 'a', 9, true)],
  ],
  ['a took effect 1 times, with 200,200', updates('a'), [got(200, 'a', 1), got(200, 'a', 1)]],
  ['a took effect 1 times, with 412', updates('a'), [got(412, 'a')]],
  ['a took effect 2 times, with 503', updates('abcdefghia'), [got(503, 'a'), ...others]],
])('the comparison reports: %s', (problem, changes, observed) => {
  expect(judge(changes, observed)).toContain(problem);
});
