import dns from 'node:dns';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { HttpRequest } from '@smithy/core/transport';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { NodeHttpHandler, streamCollector } from '#lib/sdk/request-handler.ts';

const received: { method?: string; url?: string; header?: unknown; body: string; socket: Socket }[] = [];
/** Called once a request has arrived whole. */
let answer: (request: IncomingMessage, response: import('node:http').ServerResponse) => void;
const server = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray()).toString();
  const { method = '', url = '', headers, socket } = request;
  received.push({ method, url, header: headers['x-amz-target'], body, socket });
  answer(request, response);
});

let port: number;
let handler: ReturnType<typeof NodeHttpHandler.create>;
beforeEach(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  ({ port } = server.address() as AddressInfo);
  handler = NodeHttpHandler.create({ connectionTimeout: 300 });
  received.length = 0;
  answer = (_, response) => void response.end('{"ok":true}');
});
afterEach(async () => {
  handler.destroy?.();
  vi.restoreAllMocks();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const aMessage = (overrides: Partial<HttpRequest> = {}) =>
  new HttpRequest({
    protocol: 'http:',
    method: 'POST',
    hostname: '127.0.0.1',
    port,
    path: '/',
    headers: { 'x-amz-target': 'DynamoDB_20120810.UpdateItem' },
    body: '{"TableName":"files"}',
    ...overrides,
  });
const send = async (overrides: Partial<HttpRequest> = {}, abortSignal?: AbortSignal) => {
  const { response } = await handler.handle(aMessage(overrides), { ...(abortSignal && { abortSignal }) });
  return { response, text: async () => Buffer.from(await streamCollector(response.body)).toString() };
};

test('a request arrives as it is, and its reply comes back with status, reason, headers and body', async () => {
  answer = (_, response) => {
    response.writeHead(400, 'Bad', { 'x-one': '1', 'set-cookie': ['a', 'b'] }).end('é'.repeat(100_000));
  };
  const { response, text } = await send({ path: '/path', query: { a: 'b c', d: ['1', '2'] } });
  const { statusCode, reason, headers } = response;
  expect({ statusCode, reason, headers }).toMatchObject({
    statusCode: 400,
    reason: 'Bad',
    headers: { 'x-one': '1', 'set-cookie': 'a,b' },
  });
  expect(await text()).toBe('é'.repeat(100_000));
  expect(received).toMatchObject([
    {
      method: 'POST',
      url: '/path?a=b%20c&d=1&d=2',
      header: 'DynamoDB_20120810.UpdateItem',
      body: '{"TableName":"files"}',
    },
  ]);
});

test('one connection carries one request after the other', async () => {
  await (await send()).text();
  await (await send()).text();
  expect(received[1]?.socket).toBe(received[0]?.socket);
  expect(received.map(({ url }) => url)).toEqual(['/', '/']);
});

test('nobody listens: the error of the connection', async () => {
  await expect(send({ port: 1 })).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

test('a connection that does not come about in time: an error that the SDK calls transient', async () => {
  vi.spyOn(dns, 'lookup').mockImplementation(() => undefined);
  handler = NodeHttpHandler.create({ connectionTimeout: 20 });
  await expect(send({ hostname: 'table.example' })).rejects.toMatchObject({
    name: 'TimeoutError',
    message: 'no connection within 20 ms',
  });
});

test('without a limit on connecting the signal is the only one', async () => {
  vi.spyOn(dns, 'lookup').mockImplementation(() => undefined);
  handler = NodeHttpHandler.create({});
  const sent = send({ hostname: 'table.example' }, AbortSignal.timeout(50));
  await expect(sent).rejects.toMatchObject({ name: 'AbortError', cause: { name: 'TimeoutError' } });
});

test('aborted before it is sent: nothing is sent', async () => {
  await expect(send({}, AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
  expect(received).toEqual([]);
});

test('aborted before the reply, and in the middle of it: both end at once', async () => {
  const limits = new AbortController();
  answer = () => limits.abort();
  await expect(send({}, limits.signal)).rejects.toMatchObject({ name: 'AbortError' });

  const later = new AbortController();
  answer = (_, response) => void response.writeHead(200).write('{"Attr');
  const { text } = await send({}, later.signal);
  const body = text();
  later.abort();
  await expect(body).rejects.toMatchObject({ code: 'ECONNRESET' });
});

test('a reply that is cut off: the error of the connection, not half a reply', async () => {
  answer = (_, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('{"Attr', () => response.destroy());
  };
  const { text } = await send();
  await expect(text()).rejects.toMatchObject({ code: 'ECONNRESET' });
});

test('https speaks TLS, and an IPv6 address in a URL is one to the socket', async () => {
  await expect(send({ protocol: 'https:' })).rejects.toMatchObject({ code: 'EPROTO' });
  await expect(send({ hostname: '[::1]', port: 1 })).rejects.toMatchObject({ address: '::1' });
});

test('a signal leaves no listener behind once its request is over', async () => {
  const { signal } = new AbortController();
  const remove = vi.spyOn(signal, 'removeEventListener');
  await (await send({}, signal)).text();
  await vi.waitFor(() => expect(remove).toHaveBeenCalledTimes(1));
});

test('what the SDK asks of a handler beside: nothing changes it', () => {
  handler.updateHttpClientConfig('connectionTimeout', 1);
  expect(handler.httpHandlerConfigs()).toEqual({ connectionTimeout: 300 });
  expect(handler.metadata).toEqual({ handlerProtocol: 'http/1.1' });
});
