import { afterEach, expect, test } from 'vitest';
import { startFaultyFront, turn } from './support/faulty-front.ts';
import { aClient, anUpdate, aView } from './support/given-client.ts';

let front: Awaited<ReturnType<typeof startFaultyFront>>;
afterEach(() => front.close());

const answerWith = async (status: number, body: string, headers: Record<string, string> = {}) => {
  front = await startFaultyFront('', [turn.answer(status, body, headers)]);
  return aClient({ baseUrl: `${front.url}/stage/` }).updateFile(anUpdate);
};
const etag = { etag: '"1"' };
const view = (overrides: Record<string, unknown> = {}) => JSON.stringify(aView(overrides));
const json = (text: string) => JSON.stringify({ message: text });

const unexpected = (status: number, { message = `HTTP status ${status}`, mayBeApplied = false } = {}) => ({
  ok: false,
  error: {
    code: 'unexpected-answer',
    status,
    requestId: undefined,
    message,
    retryable: false,
    mayBeApplied,
  },
});

test('what a file has besides is no reason to doubt it', async () => {
  expect(await answerWith(200, view({ pages: 3 }), etag)).toStrictEqual({
    ok: true,
    file: aView({ pages: 3 }),
    etag: '"1"',
    requestId: undefined,
  });
  expect(front.seen()[0]?.path).toBe('/stage/v1/spaces/handbook/files/3f2b8c1e-6a4d-4c57-9e0f-1b7a2d9c5e80');
});

test.each([
  ['HTML', '<!doctype html><p>Welcome to the hotel.'],
  ['cut JSON', view().slice(0, 100)],
  ['nothing', ''],
  ['null', 'null'],
  ['a list', '[]'],
  ['no id', view({ id: undefined })],
  ['a summary that is a number', view({ summary: 1 })],
  ['no documentKind', view({ documentKind: undefined })],
  ['a name that is null', view({ originalName: null })],
  ['half a chunk', view({ chunksCount: 1.5 })],
  ['tags that are a text', view({ tags: 'x' })],
  ['a tag that is null', view({ tags: [null] })],
  ['a tag without a value', view({ tags: [{ key: 'a', aiExtracted: true }] })],
  ['a tag without a key', view({ tags: [{ value: 'a', aiExtracted: true }] })],
  ['a tag with a text for a flag', view({ tags: [{ key: 'a', value: 'b', aiExtracted: 'no' }] })],
])('200 with %s is not believed, but may be applied', async (_, body) => {
  expect(await answerWith(200, body, etag)).toStrictEqual(unexpected(200, { mayBeApplied: true }));
});

test('a file under another status is not of this service', async () => {
  expect(await answerWith(202, view(), etag)).toStrictEqual(unexpected(202, { mayBeApplied: true }));
});

test('200 without an etag is not of this service', async () => {
  expect(await answerWith(200, view())).toStrictEqual(unexpected(200, { mayBeApplied: true }));
});

test.each([
  [404, json('Not Found'), {}, 'Not Found'],
  [404, '<h1>Not Found</h1>', {}, undefined],
  [403, '{"message":1}', {}, undefined],
  [412, json('File was changed by another request'), {}, 'File was changed by another request'],
  [412, 'null', etag, undefined],
  [418, json('teapot'), {}, 'teapot'],
])('%i %s is not of this service, and has changed nothing', async (status, body, headers, message) => {
  expect(await answerWith(status, body, headers)).toStrictEqual(
    unexpected(status, message ? { message } : {}),
  );
});

test('415 is one of the kinds, though this client gives no cause for it', async () => {
  expect(await answerWith(415, json('Content-Type must be application/json'))).toMatchObject({
    error: { code: 'unsupported-media-type', status: 415, message: 'Content-Type must be application/json' },
  });
});

test('a redirect is not followed: the key stays here', async () => {
  const elsewhere = await startFaultyFront('', [turn.answer(200, view(), etag)]);
  expect(await answerWith(307, '', { location: elsewhere.url })).toStrictEqual(unexpected(307));
  expect(elsewhere.seen()).toStrictEqual([]);
  await elsewhere.close();
});
