import dns from 'node:dns';
import { HttpRequest } from '@smithy/core/transport';
import { expect, onTestFinished, test, vi } from 'vitest';
import { NodeHttpHandler, streamCollector } from '#lib/runtime/shims/request-handler.ts';
import { jsonReply, type Reply, startServer } from '#test/support/server.ts';

const headers = { 'x-amz-target': 'DynamoDB_20120810.UpdateItem' };
const message = { method: 'POST', headers, body: '{}' };
type Options = Parameters<typeof NodeHttpHandler.create>[0];
/** Sends requests to a server that gives these replies. */
const connect = async (replies: readonly Reply[], options: Options = { connectionTimeout: 300 }) => {
  const { port, received } = await startServer(...replies);
  const handler = NodeHttpHandler.create(options);
  onTestFinished(() => handler.destroy?.());
  const base = { protocol: 'http:', hostname: '127.0.0.1', port, path: '/', ...message };
  const sendHead = async (overrides: Partial<HttpRequest> = {}, abortSignal?: AbortSignal) => {
    const request = new HttpRequest({ ...base, ...overrides });
    return (await handler.handle(request, { ...(abortSignal && { abortSignal }) })).response;
  };
  const send = async (...request: Parameters<typeof sendHead>) => {
    const { body, ...head } = await sendHead(...request);
    return { ...head, body: Buffer.from(await streamCollector(body)).toString() };
  };
  return { handler, sendHead, send, received };
};
const ok = jsonReply('{"ok":true}');

test('sends a request as it is and returns status, reason, headers and body', async () => {
  const bad: Reply = (response) =>
    response.writeHead(400, 'Bad', { 'x-one': '1', 'set-cookie': ['a', 'b'] }).end('é'.repeat(100_000));
  const { handler, send, received } = await connect([bad]);
  handler.updateHttpClientConfig('connectionTimeout', 1);
  expect(handler.httpHandlerConfigs()).toEqual({ connectionTimeout: 300 });
  expect(await send({ path: '/path', query: { a: 'b c', d: ['1', '2'] } })).toMatchObject({
    statusCode: 400,
    reason: 'Bad',
    headers: { 'x-one': '1', 'set-cookie': 'a,b' },
    body: 'é'.repeat(100_000),
  });
  expect(received).toMatchObject([{ ...message, url: '/path?a=b%20c&d=1&d=2' }]);
});

const abortError = { name: 'AbortError' };
const noResponse = { code: 'ECONNRESET', message: 'connection closed without a response' };
const longBody = 'x'.repeat(8 * 1024 * 1024);
const switchProtocols: Reply = (_, { socket }) =>
  socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n');
test.each<[string, Reply, Partial<HttpRequest>, object]>([
  ['nobody listens', ok, { port: 1 }, { code: 'ECONNREFUSED' }],
  ['https is TLS', ok, { protocol: 'https:' }, { code: 'EPROTO' }],
  ['an IPv6 address has no brackets', ok, { hostname: '[::1]', port: 1 }, { address: '::1' }],
  ['the protocol is switched', switchProtocols, {}, noResponse],
  ['a body has more than 8 MiB', jsonReply(`${longBody}x`), {}, { code: 'ERR_RESPONSE_TOO_LARGE' }],
])('ends with an error: %s', async (_, reply, overrides, error) => {
  const { send } = await connect([reply]);
  await expect(send(overrides)).rejects.toMatchObject(error);
});

test('uses a connection again, and reads a body of 8 MiB', async () => {
  const { send, received } = await connect([ok, jsonReply(longBody)]);
  await send();
  expect(await send()).toMatchObject({ body: longBody });
  expect(received[1]?.socket).toBe(received[0]?.socket);
});

/** Finds no address for a name. */
const lookUp = (meanwhile: () => unknown) =>
  vi.spyOn(dns, 'lookup').mockImplementation(() => void setImmediate(meanwhile));

test('limits the time to connect, but not the time to respond', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const slow: Reply = (response) => {
    vi.advanceTimersByTime(300);
    response.end('slow');
  };
  const { send } = await connect([slow]);
  expect(await send()).toMatchObject({ body: 'slow' });
  await expect(send({ port: 1 })).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  while (vi.getTimerCount() > 0) await new Promise(setImmediate);

  lookUp(() => vi.advanceTimersByTime(300));
  const error = { name: 'TimeoutError', message: 'no connection within 300 ms' };
  await expect(send({ hostname: 'table.example' })).rejects.toMatchObject(error);
});

test('does not limit the time to connect without that option', async () => {
  const { send } = await connect([ok], {});
  const controller = new AbortController();
  lookUp(() => controller.abort());
  await expect(send({ hostname: 'table.example' }, controller.signal)).rejects.toMatchObject(abortError);
});

test('ends at once when it is aborted: before it is sent, before the response or in its body', async () => {
  const [first, second] = [new AbortController(), new AbortController()];
  const { send, sendHead, received } = await connect([
    () => first.abort('late'),
    (response) => response.writeHead(200).write('{'),
  ]);
  await expect(send({}, AbortSignal.abort())).rejects.toMatchObject(abortError);
  expect(received).toEqual([]);
  await expect(send({}, first.signal)).rejects.toMatchObject({ ...abortError, cause: 'late' });
  const { body } = await sendHead({}, second.signal);
  const collected = expect(streamCollector(body)).rejects.toMatchObject({ code: 'ECONNRESET' });
  second.abort();
  await collected;
});

test('removes its listener from the signal when the request is over', async () => {
  const { send } = await connect([ok]);
  const { signal } = new AbortController();
  const removed = new Promise((resolve) => {
    signal.removeEventListener = (...listener: unknown[]) => resolve(listener);
  });
  await send({}, signal);
  expect(await removed).toEqual(['abort', expect.any(Function)]);
});
