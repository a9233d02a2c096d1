import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { inject } from 'vitest';
import { type Fault, reply } from './faults.ts';
import { cleanups, idsOf } from './harness.ts';

type Plan = { readonly kind: 'read' | 'write'; readonly fault: Fault; times: number };
const noCalls = { read: 0, write: 0, applied: 0 };

/**
 * A proxy between the function and the engine. Each lane can be given a fault of its own, so that requests for
 * different lanes run at the same time without meeting each other's faults.
 */
export const startFaultProxy = async (engine = inject('endpoint')) => {
  const plans = new Map<string, Plan>();
  const calls = new Map<string, typeof noCalls>();
  const sockets = new Set<Socket>();

  const serve = async (incoming: IncomingMessage, response: ServerResponse) => {
    const sent = await text(incoming);
    const signed = Object.entries(incoming.headers).filter(([name]) =>
      /^x-amz-|^auth|^content-type/.test(name),
    );
    const headers = Object.fromEntries(signed.map(([name, value]) => [name, `${value}`]));
    const kind = headers['x-amz-target']?.endsWith('UpdateItem') ? 'write' : 'read';
    const space = /lane-\d+/.exec(sent)?.[0] ?? 'prime';
    const counts = calls.get(space) ?? { ...noCalls };
    calls.set(space, counts);
    counts[kind] += 1;
    const deliver = async () => {
      const delivered = await fetch(engine, { method: 'POST', headers, body: sent });
      if (kind === 'write' && delivered.ok) counts.applied += 1;
      return { status: delivered.status, body: await delivered.text() };
    };
    const plan = plans.get(space);
    if (plan && plan.times > 0 && plan.kind === kind) {
      plan.times -= 1;
      return plan.fault({ response, sent, deliver });
    }
    const { status, body } = await deliver();
    return reply(body, status)({ response });
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
  await once(server.listen(0, '127.0.0.1'), 'listening');
  cleanups.push(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  return {
    endpoint: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    /** Gives the next calls of a kind for this lane this fault. */
    fail: (lane: number, kind: Plan['kind'], fault: Fault, times = Number.POSITIVE_INFINITY): void => {
      plans.set(idsOf(lane).spaceId, { kind, fault, times });
    },
    heal: (): void => plans.clear(),
    /** The calls for a lane so far, and the writes of them that the engine applied. */
    callsOf: (lane: number): typeof noCalls => calls.get(idsOf(lane).spaceId) ?? noCalls,
    /** Ends every connection of the function, in good order or abruptly. Returns how many. */
    disconnect: (how: 'end' | 'resetAndDestroy'): number =>
      [...sockets].map((socket) => socket[how]()).length,
  };
};
