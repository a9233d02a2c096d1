import type { IncomingMessage } from 'node:http';

/**
 * Reads a reply to its end. The SDK's own collector pipes it into a stream, and a pipe keeps both ends alive beyond
 * the next quick garbage collection: twice the memory under load.
 *
 * @throws what the connection threw, when it breaks off
 */
export const collectStream = (reply: IncomingMessage): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    reply.on('data', (chunk: Uint8Array) => chunks.push(chunk));
    reply.once('error', reject);
    reply.once('end', () => resolve(Buffer.concat(chunks)));
  });
