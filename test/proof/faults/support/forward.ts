import { Agent, request } from 'node:http';

/** A call as the SDK sent it. */
export type Call = {
  readonly kind: 'read' | 'write' | 'other';
  /** How many calls of this kind came before it. */
  readonly n: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: Buffer;
};

/** What the engine said to it. */
export type Reply = { readonly status: number; readonly body: Buffer };

/** Delivers calls to the engine, as often as one likes. */
export const createForwarder = (endpoint: string) => {
  const agent = new Agent({ keepAlive: true });
  const deliver = ({ headers, body }: Call): Promise<Reply> =>
    new Promise((resolve, reject) => {
      const outgoing = request(`${endpoint}/`, { agent, method: 'POST', headers }, (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, body: Buffer.concat(chunks) }));
      });
      outgoing.on('error', reject).end(body);
    });
  return { deliver, close: () => agent.destroy() };
};
