import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Fault } from './faults.ts';

/** What becomes of the next call of a lane: of its first such call, or of all of them until the next plan. */
type Plan = { readonly fault: Fault; readonly call: 'read' | 'write'; readonly always: boolean };

/** Stands between the function and the engine and lets the calls of each lane meet the lane's fault. */
export const startFaultProxy = async (engine: string) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const plans = new Map<number, Plan & { met: boolean }>();
  let faulted = 0;

  const pass = async (incoming: IncomingMessage, body: string) => {
    const { host, ...headers } = incoming.headers;
    const outgoing = request(engine, { method: 'POST', headers, agent }).end(body);
    const [reply]: IncomingMessage[] = await once(outgoing, 'response');
    if (!reply) throw new Error('no reply of the engine');
    return { status: reply.statusCode ?? 0, headers: reply.headers, body: await text(reply) };
  };
  const serve = async (incoming: IncomingMessage, response: ServerResponse) => {
    const body = await text(incoming);
    const lane = Number(/lane-(\d+)-space/.exec(body)?.[1]);
    const call = String(incoming.headers['x-amz-target']).endsWith('UpdateItem') ? 'write' : 'read';
    const plan = plans.get(lane);
    if (plan && plan.call === call && (plan.always || !plan.met)) {
      if (!plan.met) faulted += 1;
      plan.met = true;
      await plan.fault({ sent: body, response, forward: async () => (await pass(incoming, body)).body });
      return;
    }
    const reply = await pass(incoming, body);
    response.writeHead(reply.status, reply.headers).end(reply.body);
  };
  const server = createServer((incoming, response) => {
    serve(incoming, response).catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');

  return {
    endpoint: `http://127.0.0.1:${address.port}`,
    plan: (lane: number, plan: Plan) => void plans.set(lane, { ...plan, met: false }),
    /** No lane has a plan any more. */
    heal: () => plans.clear(),
    faulted: () => faulted,
    stop: async () => {
      agent.destroy();
      server.closeAllConnections();
      server.close();
    },
  };
};
