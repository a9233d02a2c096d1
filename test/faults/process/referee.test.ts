import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { expect, inject, test } from 'vitest';
import { toFileView } from '#lib/domain/file.ts';
import { bugs, plant } from '#test/faults/simulation/plant.ts';
import { forwardTo, type Reply, startServer } from '#test/support/server.ts';
import { transient } from './faults.ts';
import { buildFunction, idsOf, openLanes, recordOf, startFunction } from './harness.ts';
import { disagreements, type Observed } from './referee.ts';

buildFunction();
/** How many requests `npm test` sends. UPDATES=N sends more. */
const UPDATES = Number(process.env['UPDATES'] ?? 1_000);

const pick = <Item>(items: readonly [Item, ...Item[]]): Item =>
  items[Math.floor(Math.random() * items.length)] ?? items[0];
const isLikely = (probability: number) => Math.random() < probability;

/** A proxy that loses, delays, doubles and breaks messages. It delays them by a number of other messages, not by time. */
const startNetwork = async () => {
  let isOver = false;
  const delayed = new Set<{ left: number; go: () => void }>();
  const later = async () => {
    const { promise, resolve: go } = Promise.withResolvers<void>();
    if (!isOver) delayed.add({ left: Math.random() * 100, go });
    else go();
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
  const faults = Object.entries(transient).flatMap(([name, fault]) =>
    /hang|open|endless/.test(name) ? [] : [fault],
  );
  const messages: unknown[] = [];
  const { endpoint } = await startServer(async (response, request) => {
    for (const one of delayed) {
      one.left -= 1;
      if (one.left < 0 && delayed.delete(one)) one.go();
    }
    const isFaulty = isLikely(0.2) && `${request.headers['x-amz-target']}`.endsWith('UpdateItem');
    const fault = isLikely(0.5) ? pick(timing) : pick([forward, ...faults]);
    messages.push((isFaulty ? fault : forward)(response, request));
  });
  /** Waits until every message has arrived. */
  const settle = async () => {
    isOver = true;
    for (const { go } of delayed) go();
    await Promise.all(messages);
  };
  return { endpoint, settle };
};

/**
 * Sends requests for four files through that network to two instances, which are killed now and then. Many requests
 * repeat others with their idempotency key. Returns what the callers got, and what the stream has.
 */
const run = async (updates: number, options?: { file: string }) => {
  const tables = await openLanes(4);
  const network = await startNetwork();
  const start = () => startFunction(tables, network.endpoint, options);
  const instances = await Promise.all([start(), start()]);
  const observed: Observed[] = [];
  const keyed: { lane: number; summary: string; idempotencyKey?: string }[] = [];
  const etags: string[] = [];

  const send = async () => {
    const [repeated] = isLikely(0.3) ? keyed.slice(-1 - Math.floor(Math.random() * 40)) : [];
    const fresh = { lane: pick([0, 1, 2, 3]), summary: randomUUID() };
    const { lane, summary, idempotencyKey } = repeated ?? {
      ...fresh,
      ...(isLikely(0.5) && { idempotencyKey: randomUUID() }),
    };
    if (idempotencyKey)
      keyed.push({ lane, summary: isLikely(0.8) ? summary : fresh.summary, idempotencyKey });
    const match = isLikely(0.1) && { 'if-match': etags[lane] ?? '"7"' };
    const body = JSON.stringify({ summary, ...(isLikely(0.05) && { title: '' }) });
    const headers = { 'idempotency-key': idempotencyKey, ...match };
    const sent = pick(instances).send(lane, { headers, body });
    const response = await sent.catch(() => undefined);
    etags[lane] = response?.headers['etag'] ?? '"7"';
    observed.push({ fileId: idsOf(lane).fileId, summary, idempotencyKey, response });
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
  const all = [200, 'replayed', 400, 412, 422, 503, 'no response'];
  expect([...kinds.keys()]).toEqual(expect.arrayContaining(all));
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

/*
 * Each letter of the changes is the summary of a file, in versions 1, 2 and so on; a capital one has the version before,
 * and an x changes the language.
 * A response is its status, the summary that was sent, the version of its etag, and r if it is replayed.
 */
const eight = '200b2 200c3 200d4 200e5 200f6 200g7 200h8 200i9';
test.each<[changes: string, responses: string, ...found: string[]]>([
  ['ab', '412c 200a1 200b2'],
  ['ab', '503a 503c 200a2r 200b2'],
  ['abcdefghia', `200a1 ${eight} 200a10`],
  [
    'bcdefghib',
    '200b1 503c 503d 503e 503f 503g 503h 503i 200b9',
    'version 9: b took effect again, after 7 others',
  ],
  ['A', '200A1', 'version 1 does not rise'],
  ['x', '200x1', 'version 1 changes other attributes'],
  ['ab', '200a1', 'version 2 is of no request'],
  ['a', '', 'version 1 is of no request'],
  ['a', '200a2', '200 with version 2: the stream has no such file'],
  ['ab', '503a 200a2 503b', '200 with version 2: a is not among 1 changes'],
  ['abcdefghi', `200a1 ${eight} 200a9r`, '200 with version 9: a is not among 8 changes'],
  ['a', '200a1 200a1', 'version 1: 2 requests have written it'],
  ['a', '412a', 'a took effect 1 times, with 412'],
  ['abcdefghia', `503a ${eight}`, 'a took effect 2 times, with 503'],
])('compares the changes %s with the responses %s', (letters, responses, ...found) => {
  const fileWith = (version: number) => {
    const summary = letters[version - 1] ?? '';
    return { ...recordOf(0), version, summary, ...(summary === 'x' && { language: 'fr' }) };
  };
  const changes = [...letters].map((letter, at) => {
    return { before: fileWith(at + (letter > 'Z' ? 0 : 1)), after: fileWith(at + 1) };
  });
  const observed = responses.split(' ').flatMap((text) => {
    if (text === '') return [];
    const [, status, summary = '', version, replayed] =
      /^(\d+)(\w)(\d*)(r?)$/.exec(text) ?? expect.unreachable();
    const headers = {
      etag: `"${version}"`,
      'x-request-id': '',
      'idempotency-replayed': `${replayed === 'r'}`,
    };
    const body = JSON.stringify(toFileView(fileWith(Number(version))));
    return { ...idsOf(0), summary, response: { statusCode: Number(status), headers, body } };
  });
  expect(disagreements(changes, observed).slice(0, 1)).toEqual(found);
});
