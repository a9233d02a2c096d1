import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { inject } from 'vitest';
import { cleanups } from './harness.ts';

/** One call to DynamoDB on its way. */
export type Exchange = {
  readonly response: ServerResponse;
  /** What the function sent: ids, key hash, summary. */
  readonly sent: string;
  /** Delivers the call to the engine now, and gives the body of its response. */
  readonly deliver: () => Promise<string>;
};
/** What happens to a call instead of its delivery. */
export type Fault = (exchange: Exchange) => unknown;
type Plan = { readonly kind: 'read' | 'write' | 'any'; readonly fault: Fault; times: number };

type Calls = { read: number; write: number; applied: number };
const noCalls: Calls = { read: 0, write: 0, applied: 0 };

/**
 * A proxy between the function and the engine. Calls that name a space can be given a fault of their own, so that
 * requests for different spaces run at the same time without meeting each other's faults.
 */
export const startFaultProxy = async (engine = inject('endpoint'), port = 0) => {
  const agent = new Agent({ keepAlive: true });
  const plans = new Map<string, Plan>();
  const calls = new Map<string, Calls>();
  const sockets = new Set<Socket>();
  const silent = new WeakSet<Socket>();

  const serve = async (incoming: IncomingMessage, response: ServerResponse) => {
    const sent = await text(incoming);
    if (silent.has(incoming.socket)) return;
    const kind = incoming.headers['x-amz-target']?.includes('UpdateItem') ? 'write' : 'read';
    const space = /lane-\d+/.exec(sent)?.[0] ?? 'prime';
    const counts = calls.get(space) ?? { ...noCalls };
    calls.set(space, counts);
    counts[kind] += 1;

    const reply = async () => {
      const { host: _, ...headers } = incoming.headers;
      const outgoing = request(engine, { method: 'POST', headers, agent }).end(sent);
      const [delivered]: IncomingMessage[] = await once(outgoing, 'response');
      const body = delivered ? await text(delivered) : '';
      if (kind === 'write' && delivered?.statusCode === 200) counts.applied += 1;
      return { status: delivered?.statusCode ?? 502, headers: delivered?.headers, body };
    };
    const plan = plans.get(space) ?? plans.get('all');
    if (plan && plan.times > 0 && (plan.kind === 'any' || plan.kind === kind)) {
      plan.times -= 1;
      return plan.fault({ response, sent, deliver: async () => (await reply()).body });
    }
    const { status, headers, body } = await reply();
    return response.writeHead(status, headers).end(body);
  };

  const server = createServer((incoming, response) => {
    response.on('error', () => undefined);
    // An engine that is gone is a connection that breaks.
    serve(incoming, response).catch(() => response.destroy());
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  server.keepAliveTimeout = 0;
  await once(server.listen(port, '127.0.0.1'), 'listening');

  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');

  const stop = async (): Promise<void> => {
    agent.destroy();
    if (!server.listening) return;
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  cleanups.push(stop);

  return {
    stop,
    port: address.port,
    endpoint: `http://127.0.0.1:${address.port}`,
    /** Gives the next calls of a kind that name the space this fault. `all` stands for every space. */
    fail: (space: string, kind: Plan['kind'], fault: Fault, times = Number.POSITIVE_INFINITY): void => {
      plans.set(space, { kind, fault, times });
    },
    heal: (): void => plans.clear(),
    /** The calls that named a space so far, and the writes of them that the engine applied. */
    callsOf: (space: string): Calls => calls.get(space) ?? noCalls,
    /** Ends every connection of the function: in good order, abruptly, or without a word. Tells how many. */
    disconnect: (how: 'end' | 'reset' | 'silence'): number => {
      const open = [...sockets];
      for (const socket of open) {
        if (how === 'end') socket.end();
        else if (how === 'reset') socket.resetAndDestroy();
        else silent.add(socket);
      }
      return open.length;
    },
  };
};
export type FaultProxy = Awaited<ReturnType<typeof startFaultProxy>>;
