import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { listen } from '#tools/dev-server/listen.ts';

/** A request that has arrived whole. */
export type Received = {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly socket: Socket;
};
/** Replies to one request, in ways that no DynamoDB engine can. */
export type Reply = (response: ServerResponse, request: Received) => unknown;

/** A server in place of DynamoDB for the rest of a test. It gives the replies in turn, and the last one again and again. */
export const startServer = async (...replies: readonly Reply[]) => {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const { method, url, headers, socket } = request;
    const body = Buffer.concat(await request.toArray()).toString();
    received.push({ method, url, headers, body, socket });
    replies[Math.min(received.length, replies.length) - 1]?.(response, {
      method,
      url,
      headers,
      body,
      socket,
    });
  });
  const port = await listen(server);
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { endpoint: `http://127.0.0.1:${port}`, port, received };
};

const json = { 'content-type': 'application/x-amz-json-1.0' };

/** A whole and well-formed reply. */
export const jsonReply =
  (body: unknown, status = 200): Reply =>
  (response) =>
    response.writeHead(status, json).end(JSON.stringify(body));

/** An error of DynamoDB. */
export const errorReply = (name: string, status = 400, rest: object = {}): Reply =>
  jsonReply({ __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: 'no', ...rest }, status);

/** Any text under any status. */
export const textReply =
  (body: string, status = 200): Reply =>
  (response) =>
    response.writeHead(status, json).end(body);

const switchProtocols = 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n';

/** The connection ends without a whole reply. */
export const brokenReplies = {
  reset: (response) => response.destroy(),
  malformedHead: ({ socket }) => socket?.end('HTTP/1.1 OK\r\n\r\n'),
  switchedProtocols: ({ socket }) => socket?.write(switchProtocols),
  cutOff: (response) =>
    response.writeHead(200, { 'content-length': '9' }).write('{', () => response.destroy()),
} satisfies Record<string, Reply>;

const callEngine = (endpoint: string, { headers, body }: Received) => {
  const forwarded = Object.entries(headers)
    .filter(([name]) => /^(x-amz-|content-type$|authorization$)/.test(name))
    .map(([name, value]): [string, string] => [name, String(value)]);
  return fetch(endpoint, { method: 'POST', headers: forwarded, body });
};

/** The reply of an engine behind this server. */
export const forwardTo =
  (endpoint: string): Reply =>
  async (response, request) => {
    const reply = await callEngine(endpoint, request);
    response.writeHead(reply.status, json).end(await reply.text());
  };

/** No reply, after an engine behind this server has applied the request. */
export const loseReplyOf =
  (endpoint: string): Reply =>
  async (response, request) => {
    await (await callEngine(endpoint, request)).text();
    response.destroy();
  };
