import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Answers one call to DynamoDB in a way no engine would. */
export type Reply = (response: ServerResponse) => void;

/** A server in DynamoDB's place that gives the replies in turn, the last one for ever. */
export const startStubEngine = async (replies: readonly Reply[]) => {
  const received: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    const reply = replies[Math.min(received.length, replies.length - 1)];
    received.push(request.headers);
    request.resume().on('end', () => reply?.(response));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    calls: () => received.length,
    /** The headers of each call so far. */
    received,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

const json = { 'content-type': 'application/x-amz-json-1.0' };

export const reply = {
  /** A whole and well-formed reply. */
  json:
    (body: unknown, status = 200): Reply =>
    (response) => {
      response.writeHead(status, json).end(JSON.stringify(body));
    },
  /** Any text under any status. */
  text:
    (body: string, status = 200): Reply =>
    (response) => {
      response.writeHead(status, json).end(body);
    },
  /** A body shorter than its announced length, then the end of the connection. */
  cut:
    (body: string): Reply =>
    (response) => {
      response.writeHead(200, { ...json, 'content-length': String(body.length + 10) });
      response.write(body, () => response.destroy());
    },
  /** Nothing at all. */
  hang: (): Reply => () => undefined,
  /** The beginning of a reply whose end never comes. */
  trickle:
    (body: string): Reply =>
    (response) => {
      response.writeHead(200, json).write(body);
    },
  /** The end of the connection. */
  reset: (): Reply => (response) => {
    response.destroy();
  },
};
