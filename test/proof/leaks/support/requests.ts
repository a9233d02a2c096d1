import { pick } from '#test/proof/support/random.ts';
import { base64 } from '#test/support/event.ts';
import { CANARY, idsOf, laneEvent, revokedHeaders, summaryOf } from './world.ts';

/** A request of a lane and the status it must get when nothing goes wrong. */
export type LaneRequest = { readonly event: unknown; readonly status: number };
type Make = (lane: number, turn: number) => LaneRequest;

const json = (lane: number, turn: number) => JSON.stringify({ summary: summaryOf(lane, turn) });
const body = (status: number, write: (lane: number, turn: number) => string): Make => {
  return (lane, turn) => ({ event: laneEvent(lane, { body: write(lane, turn) }), status });
};
const headers = (status: number, more: Record<string, string | undefined>): Make => {
  return (lane, turn) => ({ event: laneEvent(lane, { body: json(lane, turn), headers: more }), status });
};
const path = (status: number, write: (lane: number) => Record<string, string>): Make => {
  return (lane, turn) => ({ event: laneEvent(lane, { body: json(lane, turn), ...write(lane) }), status });
};

export const goodRequests: readonly [Make, ...Make[]] = [
  body(200, json),
  body(200, json),
  body(200, (lane, turn) => JSON.stringify({ summary: summaryOf(lane, turn), documentKind: 'memo' })),
  body(200, () => '{"documentKind":"guide"}'),
  body(200, () => '{"documentKind":null}'),
];

/** Requests that carry secrets to every place where a refusal could repeat them. */
const badRequests: readonly [Make, ...Make[]] = [
  body(400, (lane, turn) => json(lane, turn).slice(0, -1)),
  body(400, (lane, turn) => `${json(lane, turn)}${CANARY}`),
  body(400, () => CANARY),
  body(400, (lane, turn) => `"${summaryOf(lane, turn)}"`),
  body(400, (lane, turn) => JSON.stringify({ summary: [summaryOf(lane, turn)] })),
  body(400, (lane, turn) => JSON.stringify({ summary: { S: summaryOf(lane, turn) } })),
  body(400, (lane, turn) => JSON.stringify({ language: summaryOf(lane, turn), summary: CANARY })),
  body(400, (lane, turn) => JSON.stringify({ unknown: summaryOf(lane, turn) })),
  body(400, () => `{"summary":"${CANARY}","summary":"${CANARY}"}`),
  body(400, () => JSON.stringify({ documentKind: CANARY.repeat(50) })),
  body(400, () => `{"summary":"${CANARY}\\ud800"}`),
  body(413, () => JSON.stringify({ summary: CANARY.repeat(25_000) })),
  headers(415, { 'content-type': `application/${CANARY}` }),
  headers(415, { 'content-encoding': CANARY }),
  headers(400, { 'if-match': CANARY }),
  headers(412, { 'if-match': `"${CANARY}"` }),
  headers(401, { 'x-api-key': `${CANARY}-unknown` }),
  headers(401, { 'x-api-key': `${CANARY}é` }),
  headers(401, revokedHeaders),
  headers(403, { 'x-tenant-id': 'umbrella' }),
  headers(400, { 'x-user-id': `${CANARY},${CANARY}` }),
  headers(400, { 'x-tenant-id': `${CANARY} ${CANARY}` }),
  path(403, (lane) => ({ spaceId: `${idsOf(lane).spaceId}-closed` })),
  path(404, (lane) => ({ spaceId: `lane-${lane}-unknown` })),
  path(404, (lane) => ({ fileId: `lane-${lane}-unknown` })),
  path(500, (lane) => ({ fileId: `lane-${lane}-broken` })),
  (lane) => ({ event: laneEvent(lane, { body: `${base64(CANARY)}!`, isBase64Encoded: true }), status: 400 }),
  (lane) => ({
    event: laneEvent(lane, { body: base64(`{"summary":"${CANARY}`), isBase64Encoded: true }),
    status: 400,
  }),
  () => ({ event: { Records: [{ body: CANARY }], [CANARY]: CANARY }, status: 400 }),
  () => ({ event: [CANARY], status: 400 }),
];

/** A third of the requests good, the rest bad. */
export const aRequest = (random: () => number, lane: number, turn: number): LaneRequest =>
  pick(random, random() < 0.35 ? goodRequests : badRequests)(lane, turn);
