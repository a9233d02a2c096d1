import { expect, test } from 'vitest';
import { type Turn, turn } from './support/faulty-front.ts';
import { useFaultyService } from './support/faulty-service.ts';
import { aClient, anUpdate, aView } from './support/given-client.ts';

const { start, update } = useFaultyService('client-repeat');

const FIRST = { etag: '"1790000000000000"', requestId: 'request-1' };
const SECOND = { etag: '"1790000000000001"', requestId: 'request-2' };
/** The result of the first write, or of a second one that repeats it. */
const updated = (write: typeof FIRST) => ({ ok: true, file: aView(), ...write });
const message = (text: string) => JSON.stringify({ message: text });
const busy = turn.answer(503, message('Service Unavailable'), { 'retry-after': '1', 'x-request-id': 'r' });

test.each<[string, Turn, typeof FIRST, number]>([
  ['503 with retry-after', busy, FIRST, 1100],
  [
    '429 with retry-after',
    turn.answer(429, message('Too Many Requests'), { 'retry-after': '2' }),
    FIRST,
    2100,
  ],
  ['429 of a gateway', turn.answer(429, 'slow down'), FIRST, 100],
  ['a date', turn.answer(503, '', { 'retry-after': 'Mon, 21 Sep 2026 14:13:25 GMT' }), FIRST, 5100],
  [
    'a date that is over',
    turn.answer(503, '', { 'retry-after': 'Mon, 21 Sep 2026 14:13:15 GMT' }),
    FIRST,
    100,
  ],
  ['500', turn.answer(500, message('Internal Server Error')), FIRST, 100],
  ['502 of a gateway', turn.answer(502, '<h1>Bad Gateway</h1>'), FIRST, 100],
  ['a connection lost before the write', turn.resetBefore, FIRST, 100],
  ['a connection lost after the write', turn.resetAfter, SECOND, 100],
  ['an answer that breaks off', turn.cutAfter, SECOND, 100],
])('%s is repeated, and the repetition answers', async (_, fault, write, wait) => {
  expect(await update([fault])).toStrictEqual({ result: updated(write), waits: [wait], attempts: 2 });
});

test('a repetition is the same request', async () => {
  const { url, seen } = await start(busy);
  await aClient({ baseUrl: url }).updateFile({ ...anUpdate, ifMatch: '"0"' });
  const [first, second] = seen();
  expect(second).toStrictEqual(first);
  expect(first).toMatchObject({
    method: 'PATCH',
    path: '/v1/spaces/handbook/files/3f2b8c1e-6a4d-4c57-9e0f-1b7a2d9c5e80',
    headers: {
      'content-type': 'application/json',
      'x-api-key': 'demo-editor-key',
      'x-tenant-id': 'acme',
      'x-user-id': 'grace',
      'if-match': '"0"',
    },
    body: '{"summary":"New."}',
  });
});
