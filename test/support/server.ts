import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { inject, onTestFinished } from 'vitest';
import { listen } from '#tools/listen.ts';

type Delivered = { readonly status: number; readonly body: string };
/** A request that has arrived whole. */
type Received = Pick<IncomingMessage, 'method' | 'url' | 'headers' | 'socket'> & {
  readonly body: string;
  /** Delivers it to a DynamoDB engine now, and gives the response. */
  readonly deliver: (engine?: string) => Promise<Delivered>;
};
/** Replies to one request, in ways that no DynamoDB engine can. */
export type Reply = (response: ServerResponse, request: Received) => unknown;

const deliver = async (engine: string, headers: Received['headers'], body: string): Promise<Delivered> => {
  const forwarded = Object.entries(headers)
    .filter(([name]) => /^(x-amz-|content-type$|authorization$)/.test(name))
    .map(([name, value]): [string, string] => [name, String(value)]);
  const response = await fetch(engine, { method: 'POST', headers: forwarded, body });
  return { status: response.status, body: await response.text() };
};

/** A server in place of DynamoDB for the rest of a test. It gives the replies in turn, and the last one again and again. */
export const startServer = async (...replies: readonly Reply[]) => {
  const received: Received[] = [];
  const server = createServer(async (incoming, response) => {
    const { method, url, headers, socket } = incoming;
    const body = await text(incoming);
    const deliverTo = (engine = inject('endpoint')) => deliver(engine, headers, body);
    const request = { method, url, headers, socket, body, deliver: deliverTo };
    received.push(request);
    // The client may be gone before the reply is written.
    response.on('error', () => undefined);
    await replies[Math.min(received.length, replies.length) - 1]?.(response, request);
  });
  // It never ends a connection that is not in use: only a reply does.
  server.keepAliveTimeout = 0;
  const port = await listen(server);
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { endpoint: `http://127.0.0.1:${port}`, port, received };
};

/** A whole reply in DynamoDB's format. */
export const jsonReply =
  (body: string, status = 200): Reply =>
  (response) =>
    response
      .writeHead(status, {
        'content-type': 'application/x-amz-json-1.0',
        'content-length': Buffer.byteLength(body),
      })
      .end(body);

/** The reply of an engine behind this server. */
export const forwardTo =
  (engine: string): Reply =>
  async (response, request) => {
    const { status, body } = await request.deliver(engine);
    jsonReply(body, status)(response, request);
  };

/** The connection ends without a whole reply. */
export const brokenReplies = {
  reset: (response) => response.destroy(),
  cutOff: (response) =>
    response.writeHead(200, { 'content-length': '9' }).write('{', () => response.destroy()),
} satisfies Record<string, Reply>;
