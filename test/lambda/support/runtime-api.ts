import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import * as z from 'zod';

const base = '/2018-06-01/runtime';
const LambdaErrorSchema = z.object({ errorType: z.string(), errorMessage: z.string() });
/** What the runtime client reports when a function fails, at load or later. */
export type LambdaError = z.infer<typeof LambdaErrorSchema>;

type Invocation = {
  readonly id: string;
  readonly body: string;
  readonly deadline: number;
};
/** What came back, and how many milliseconds after the event was handed over. */
export type Answer = { readonly answer: unknown; readonly ms: number };
type Settle = { readonly resolve: (answer: unknown) => void; readonly reject: (error: Error) => void };

/**
 * Lambda's Runtime API for one function process, on a free port. One process each: the last poll of one that was
 * killed would swallow the next event.
 */
export const startRuntimeApi = async () => {
  const queue: Invocation[] = [];
  const open = new Map<string, Settle>();
  const ready = Promise.withResolvers<void>();
  const initError = Promise.withResolvers<LambdaError>();
  let poll: ServerResponse | undefined;

  const handOver = () => {
    const next = poll && queue.shift();
    if (!poll || !next) return;
    poll.writeHead(200, {
      'content-type': 'application/json',
      'lambda-runtime-aws-request-id': next.id,
      'lambda-runtime-deadline-ms': next.deadline,
      'lambda-runtime-invoked-function-arn': 'arn:aws:lambda:local-1:000000000000:function:updateFile',
    });
    poll.end(next.body);
    poll = undefined;
  };
  const take = (path: string, body: unknown) => {
    const [, id = '', kind] = /\/invocation\/([^/]+)\/(response|error)$/.exec(path) ?? [];
    if (path === `${base}/init/error`) initError.resolve(LambdaErrorSchema.parse(body));
    else if (kind === 'response') open.get(id)?.resolve(body);
    else open.get(id)?.reject(new Error(`the runtime client reports ${JSON.stringify(body)} at ${path}`));
    open.delete(id);
  };
  const server = createServer(async (request, response) => {
    if (request.method === 'GET' && request.url === `${base}/invocation/next`) {
      poll = response;
      ready.resolve();
      return handOver();
    }
    take(request.url ?? '', await json(request));
    response.writeHead(202).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');

  return {
    address: `127.0.0.1:${address.port}`,
    /** Settles when the function has been loaded and the client asks for the first event. */
    ready: ready.promise,
    /** Settles when the client reports that the function could not be loaded. */
    initError: initError.promise,
    /** @param remainingMs what the function is told it has left. Rejects when it throws. */
    invoke: async (event: unknown, remainingMs: number): Promise<Answer> => {
      const invocation = {
        id: randomUUID(),
        body: JSON.stringify(event),
        deadline: Date.now() + remainingMs,
      };
      const answered = Promise.withResolvers<unknown>();
      open.set(invocation.id, answered);
      queue.push(invocation);
      const startedAt = performance.now();
      handOver();
      return { answer: await answered.promise, ms: performance.now() - startedAt };
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};
