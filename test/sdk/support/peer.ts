import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { HttpRequest } from '@smithy/core/transport';
import { afterEach, beforeEach, vi } from 'vitest';
import { NodeHttpHandler, streamCollector } from '#lib/runtime/shims/request-handler.ts';

type Received = { method?: string; url?: string; header?: unknown; body: string; socket: Socket };
type Reply = (request: IncomingMessage, response: ServerResponse) => void;

const ok: Reply = (_, response) => void response.end('{"ok":true}');
const newHandler = () => NodeHttpHandler.create({ connectionTimeout: 300 });

/** A server that every test finds new, and a handler that sends to it; a test may put its own in their place. */
export const startPeer = () => {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const { method = '', url = '', headers, socket } = request;
    received.push({ method, url, header: headers['x-amz-target'], body, socket });
    peer.answer(request, response);
  });
  let port: number;

  const aMessage = (overrides: Partial<HttpRequest>) =>
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
    const { response } = await peer.handler.handle(aMessage(overrides), {
      ...(abortSignal && { abortSignal }),
    });
    return { response, text: async () => Buffer.from(await streamCollector(response.body)).toString() };
  };
  /** `answer` is called once a request has arrived whole. */
  const peer = { received, answer: ok, handler: newHandler(), send };

  beforeEach(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    ({ port } = server.address() as AddressInfo);
    peer.handler = newHandler();
    received.length = 0;
    peer.answer = ok;
  });
  afterEach(async () => {
    peer.handler.destroy?.();
    vi.restoreAllMocks();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return peer;
};
