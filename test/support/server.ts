import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request that has arrived whole. */
type Received = {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly socket: Socket;
};
/** Replies to one request, in ways that no DynamoDB engine can. */
export type Reply = (response: ServerResponse) => unknown;

/** A server in place of DynamoDB for the rest of a test. It gives the replies in turn, and the last one again and again. */
export const startServer = async (...replies: readonly Reply[]) => {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const { method, url, headers, socket } = request;
    const body = Buffer.concat(await request.toArray()).toString();
    received.push({ method, url, headers, body, socket });
    replies[Math.min(received.length, replies.length) - 1]?.(response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return { endpoint: `http://127.0.0.1:${port}`, port, received };
};
