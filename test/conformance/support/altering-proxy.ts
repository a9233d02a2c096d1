import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Answer } from '../http/answer.ts';
import { createClient } from '../http/client.ts';
import type { HttpRequest } from '../http/request.ts';
import { read, toHeaders, withLength } from './pass-on.ts';

/** One thing that a service does otherwise than the contract has it. */
export type Alteration = {
  /** What reaches the service instead of what was sent. */
  readonly request?: (request: HttpRequest) => HttpRequest;
  /** What the client gets instead of what the service answered. */
  readonly answer?: (answer: Answer, request: HttpRequest) => Answer;
};

/** A server in front of a service that alters what passes through; below a path prefix, if one is given. */
export const startAlteringProxy = async (target: string, alteration: Alteration, prefix = '') => {
  const client = createClient(new URL(target));
  const { request: alter = (request) => request, answer: alterAnswer = (answer) => answer } = alteration;
  const server = createServer(async (incoming, outgoing) => {
    const request = await read(incoming);
    const inner = { ...request, path: request.path.replace(prefix, '') };
    const answer = request.path.startsWith(prefix) ? await client.send(withLength(alter(inner))) : undefined;
    if (answer === undefined || !('text' in answer)) return void outgoing.writeHead(502).end();
    const altered = alterAnswer(answer, inner);
    // A status that there is not: nothing is answered.
    if (altered.status === 0) return void incoming.socket.destroy();
    outgoing.writeHead(altered.status, toHeaders(altered)).end(altered.text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const close = async () => {
    client.close();
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  };
  return { url: `http://127.0.0.1:${port}${prefix}`, close };
};
