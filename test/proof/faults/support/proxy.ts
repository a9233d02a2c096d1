import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { answer } from './engine-replies.ts';
import { type Call, createForwarder, type Reply } from './forward.ts';
import type { Plan } from './plan.ts';

const kindOf = (headers: IncomingHttpHeaders): Call['kind'] => {
  const target = String(headers['x-amz-target']);
  if (target.endsWith('.UpdateItem')) return 'write';
  return target.endsWith('.BatchGetItem') ? 'read' : 'other';
};
/** The part of a write that says which file it is for; of a read, which key and space. */
const subjectOf = (kind: Call['kind'], body: Buffer): string => {
  const parsed = JSON.parse(body.toString());
  return JSON.stringify(kind === 'write' ? parsed.Key : parsed.RequestItems);
};

/** A proxy between the SDK and the engine that lets calls go wrong as the plan says, and the others pass. */
export const startFaultProxy = async (endpoint: string, firstPlan: Plan, port = 0) => {
  const { deliver, close } = createForwarder(endpoint);
  const calls = { read: 0, write: 0, other: 0 };
  const injected = new Map<string, number>();
  const underWay = new Set<Promise<unknown>>();
  /** The newest reply by kind and subject; there are few subjects. */
  const replies = { read: new Map<string, Reply>(), write: new Map<string, Reply>(), other: new Map() };
  let plan = firstPlan;
  let passed = Promise.withResolvers<void>();

  const handle = async (call: Call, response: ServerResponse) => {
    const subject = call.kind === 'other' ? '' : subjectOf(call.kind, call.body);
    const deliverAndKeep = async () => {
      const reply = await deliver(call);
      replies[call.kind].set(subject, reply);
      if (call.kind === 'write') passed.resolve();
      if (call.kind === 'write') passed = Promise.withResolvers();
      return reply;
    };
    const foreign = [...replies[call.kind]].find(([other]) => other !== subject)?.[1];
    const fault = plan(call);
    if (!fault) return void answer(response, await deliverAndKeep());

    injected.set(fault.name, (injected.get(fault.name) ?? 0) + 1);
    await fault.run({
      response,
      deliver: deliverAndKeep,
      later: async (ms, action) => void (await wait(ms).then(action)),
      anotherPassed: (ms) => Promise.race([passed.promise, wait(ms)]),
      foreign,
      isConditional: call.body.includes('":match'),
      part: fault.part,
    });
  };

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    request.on('end', () => {
      const kind = kindOf(request.headers);
      const call = { kind, n: calls[kind]++, headers: request.headers, body: Buffer.concat(chunks) };
      // An engine that is gone is a connection that ends.
      const handled = handle(call, response).catch(() => response.destroy());
      underWay.add(handled);
      handled.then(() => underWay.delete(handled));
    });
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');

  return {
    endpoint: `http://127.0.0.1:${address.port}`,
    calls: (): Readonly<typeof calls> => ({ ...calls }),
    injected: (): ReadonlyMap<string, number> => injected,
    /** Another plan from now on. */
    follow: (next: Plan) => {
      plan = next;
    },
    /** Waits until everything that was to land late has landed. */
    settled: async () => {
      while (underWay.size > 0) await Promise.all(underWay);
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      close();
    },
  };
};
export type FaultProxy = Awaited<ReturnType<typeof startFaultProxy>>;
