import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createClient } from '#lib/runtime/deps.ts';
import { createStore } from '#lib/runtime/deps.ts';
import { aCall } from '#test/support/call.ts';
import { NOW } from '#test/support/given.ts';
import { type Reply, reply, startStubEngine } from '#test/support/stub-engine.ts';

const config = { apiKeysTable: 'Keys', spacesTable: 'Spaces', filesTable: 'Files' };
const nothingFound = reply.json({ Responses: { Keys: [], Spaces: [] } });

let stop: () => Promise<void>;
beforeEach(() => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'local');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'local');
  vi.stubEnv('AWS_REGION', 'local-1');
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await stop();
});

/** Reads access through the real client from an engine that gives these replies in turn. */
const readThrough = async (replies: readonly Reply[], ms = 5_000) => {
  const engine = await startStubEngine(replies);
  stop = engine.stop;
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', engine.endpoint);
  const store = createStore({ client: createClient(), config, now: () => NOW, random: () => 0 });
  const call = aCall('request-1', ms);
  const access = store.readAccess({ apiKey: 'editor-key', tenantId: 'acme', spaceId: 'handbook' }, call);
  const outcome = await access.catch((error: unknown) => error);
  return { outcome, calls: engine.calls(), tally: call.tally };
};
const throttled = reply.json({ __type: 'com.amazonaws.dynamodb.v20120810#ThrottlingException' }, 400);

describe('a reply that is none is asked for again', () => {
  test.each([
    ['connection reset', reply.reset()],
    ['hang', reply.hang()],
    ['bytes that never end', reply.trickle('{"Responses":')],
    ['body cut off', reply.cut('{"Responses":{"Keys":')],
    ['body cut off under its right length', reply.text('{"Responses":{"Keys":')],
    ['empty body', reply.text('')],
    ['empty object', reply.json({})],
    ['foreign object', reply.json({ hello: 'world' })],
    ['HTML under 200', reply.text('<html>it works</html>')],
    ['HTML under 503', reply.text('<html>go away</html>', 503)],
    ['throttled', throttled],
    [
      'InternalServerError',
      reply.json({ __type: 'com.amazonaws.dynamodb.v20120810#InternalServerError' }, 500),
    ],
  ])('%s', async (_, fault) => {
    expect(await readThrough([fault, nothingFound])).toMatchObject({
      outcome: { apiKey: undefined, space: undefined },
      calls: 2,
      tally: { retries: 1 },
    });
  });
});

test('a write whose reply never ends is sent again', async () => {
  const item = { spaceId: 'handbook', fileId: 'f', language: 'en', domain: 'hr', requestId: 'request-1' };
  const Attributes = Object.fromEntries(Object.entries(item).map(([name, text]) => [name, { S: text }]));
  const engine = await startStubEngine([reply.trickle('{'), reply.json({ Attributes })]);
  stop = engine.stop;
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', engine.endpoint);
  const store = createStore({ client: createClient(), config, now: () => NOW, random: () => 0 });
  const update = { spaceId: 'handbook', fileId: 'f', patch: { summary: null }, updatedBy: 'grace' };
  expect(await store.updateFile({ ...update, precondition: { kind: 'none' } }, aCall())).toEqual({
    file: { id: 'f', summary: null, language: 'en', documentKind: null, domain: 'hr', tags: [] },
    version: 0,
  });
  expect(engine.calls()).toBe(2);
});

test.each([
  ['hangs', reply.hang()],
  ['sends bytes that never end', reply.trickle('{')],
  ['resets', reply.reset()],
  ['throttles', throttled],
])('an engine that %s for ever is unavailable when the deadline passes', async (_, fault) => {
  const { outcome } = await readThrough([fault], 1_000);
  expect(outcome).toMatchObject({ code: 'unavailable' });
});

test.each(['AccessDeniedException', 'ResourceNotFoundException', 'ValidationException'])(
  'after %s nothing is asked again',
  async (name) => {
    const denied = reply.json({ __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: 'no' }, 400);
    expect(await readThrough([denied, nothingFound])).toMatchObject({ outcome: { name }, calls: 1 });
  },
);
