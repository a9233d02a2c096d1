import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';

export type Reply = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: Buffer };

/** Sends calls on to the engine over connections that are kept. */
export const createForward = (engine: string) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  return (headers: IncomingHttpHeaders, body: Buffer): Promise<Reply> =>
    new Promise((resolve, reject) => {
      const toReply = async (message: IncomingMessage): Promise<Reply> => {
        const { connection: _, 'keep-alive': __, ...passedOn } = message.headers;
        return { status: message.statusCode ?? 502, headers: passedOn, body: await buffer(message) };
      };
      const { connection: _, ...passedOn } = headers;
      const call = request(engine, {
        method: 'POST',
        agent,
        headers: { ...passedOn, 'content-length': body.byteLength },
      });
      call.on('response', (message) => resolve(toReply(message)));
      call.on('error', reject);
      call.end(body);
    });
};
