import { beforeAll, expect, test } from 'vitest';
import { base64 } from '#test/support/event.ts';
import { startFaultProxy } from './fault-proxy.ts';
import { itemTooLarge, permanent, SECRET, transient } from './faults.ts';
import {
  idsOf,
  type LambdaFunction,
  type Lanes,
  laneEvent,
  openLanes,
  type Response,
  revokedKey,
  scale,
  secretHashes,
  startFunction,
  tenantOf,
} from './harness.ts';

const allFaults = Object.values({ ...transient, ...permanent, itemTooLarge });
let lanes: Lanes;
beforeAll(async () => {
  lanes = await openLanes(2 * allFaults.length);
});

type Overrides = Parameters<typeof laneEvent>[1];
const bodies = [
  ...['{"documentKind":null}', SECRET, `{"summary":"${SECRET}"`, `"${SECRET}"`, `{"summary":["${SECRET}"]}`],
  ...[`{"language":"${SECRET}"}`, `{"x":"${SECRET}"}`, `{"summary":"${SECRET}","summary":"${SECRET}"}`],
  ...[`{"documentKind":"${SECRET.repeat(50)}"}`, `{"summary":"${SECRET}\\ud800"}`, SECRET.repeat(25_000)],
];
const headers = [
  { 'content-type': `application/${SECRET}` },
  { 'content-encoding': SECRET },
  { 'if-match': SECRET },
  { 'if-match': `"${SECRET}"` },
  { 'x-api-key': `${SECRET}-unknown` },
  { 'x-api-key': `${SECRET}é` },
  { 'x-api-key': revokedKey },
  { 'x-tenant-id': 'umbrella' },
  { 'x-tenant-id': `${SECRET} ${SECRET}` },
  { 'x-user-id': `${SECRET},${SECRET}` },
];
/** Good requests, and requests with secrets in every place that a rejection could repeat. */
const requests: readonly ((lane: number) => Overrides)[] = [
  () => ({}),
  ...bodies.map((body) => () => ({ body })),
  ...headers.map((fields) => () => ({ headers: fields })),
  () => ({ body: base64(`{"summary":"${SECRET}`), isBase64Encoded: true }),
  () => ({ extra: { version: SECRET, [SECRET]: SECRET } }),
  (lane) => ({ spaceId: `lane-${lane}-private` }),
  (lane) => ({ spaceId: `lane-${lane}-unknown` }),
  (lane) => ({ fileId: `lane-${lane}-unknown` }),
  (lane) => ({ fileId: `broken-${idsOf(lane).fileId}` }),
];

/** What a text holds that a lane must not see: secrets, and names of other lanes and tenants. */
const foreignIn = (text: string, lane: number): readonly string[] => [
  ...[SECRET, ...secretHashes].filter((secret) => text.includes(secret)),
  ...[0, 1, 2].map(tenantOf).filter((name) => name !== tenantOf(lane) && text.includes(name)),
  ...[...text.matchAll(/lane-(\d+)/g)].filter(([, other]) => Number(other) !== lane).map(([found]) => found),
];

test('the check finds secrets and names of others', () => {
  const found = foreignIn(`{"a":"${SECRET}","b":"globex","c":"lane-31","d":"lane-3","e":"acme"}`, 3);
  expect(found).toEqual([SECRET, 'globex', 'lane-31']);
});

type Sent = { readonly lane: number; readonly response: Response };
const statusesOf = (sent: readonly Sent[]) => new Set(sent.map(({ response }) => response.statusCode));
/** Responses and log hold nothing foreign. The log has one line for each response, stderr has none. */
const expectNoLeak = async (instance: LambdaFunction, sent: readonly Sent[]) => {
  const lines = await instance.lines(sent.length);
  const lineOf = new Map(lines.map((line) => [JSON.parse(line).requestId, line]));
  expect([instance.printed().stderr, lines.length, lineOf.size]).toEqual(['', sent.length, sent.length]);
  for (const { lane, response } of sent) {
    const ownSummary = new RegExp(`"summary":"${SECRET} (new|old), lane-${lane}"`);
    const body = response.statusCode === 200 ? response.body.replace(ownSummary, '') : response.body;
    const line = lineOf.get(response.headers['x-request-id'] ?? '') ?? expect.unreachable();
    const text = `${JSON.stringify(response.headers)} ${body} ${line}`;
    expect([text, foreignIn(text, lane)]).toEqual([text, []]);
  }
};

test('no secret and nothing of another tenant in responses and log: tenants in turn, and at once', async () => {
  const instance = await startFunction(lanes);
  const sent: Sent[] = [];
  const send = async (lane: number, overrides: (typeof requests)[number]) => {
    sent.push({ lane, response: await instance.send(laneEvent(lane, overrides(lane))) });
  };
  for (let round = 0; round < scale; round += 1)
    for (const request of requests) {
      for (const lane of [0, 1, 2]) await send(lane, request);
      await Promise.all(Array.from({ length: 12 }, (_, lane) => send(lane, request)));
    }
  expect(statusesOf(sent)).toEqual(new Set([200, 400, 401, 403, 404, 412, 413, 415, 500]));
  await expectNoLeak(instance, sent);
});

test('no secret and nothing of another tenant when calls fail; afterwards all is well', async () => {
  const proxy = await startFaultProxy();
  const instance = await startFunction(lanes, proxy.endpoint);
  const sent: Sent[] = [];
  const send = async (lane: number, remainingMs?: number) => {
    sent.push({ lane, response: await instance.send(laneEvent(lane), remainingMs) });
    return sent.at(-1)?.response.statusCode;
  };
  const sendAll = (kind: 'read' | 'write', times: number, remainingMs: number) =>
    Promise.all(
      allFaults.map((fault, lane) => {
        proxy.fail(idsOf(lane).spaceId, kind, fault, times);
        return send(lane, remainingMs);
      }),
    );
  for (const kind of ['read', 'write'] as const)
    for (const [times, remainingMs] of [
      [1, 10_000],
      [1_000, 1_000],
    ] as const)
      await sendAll(kind, times, remainingMs);
  expect(statusesOf(sent)).toEqual(new Set([200, 413, 500, 503]));
  proxy.heal();
  for (const lane of allFaults.keys()) expect(await send(lane)).toBe(200);
  await expectNoLeak(instance, sent);
});

test('requests succeed when nobody reads stdout', async () => {
  const instance = await startFunction(lanes);
  instance.child.stdout?.destroy();
  for (let n = 0; n < 50; n += 1)
    expect(await instance.send(laneEvent(0))).toMatchObject({ statusCode: 200 });
  expect(instance.printed().stderr).toBe('');
});
