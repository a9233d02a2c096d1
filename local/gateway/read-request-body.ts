import type { IncomingMessage, ServerResponse } from 'node:http';

/** API Gateway's payload quota: 10 MB. */
const maxBodyBytes = 10 * 1024 * 1024;

/** Reads the bytes of a request's body; of one past the limit it keeps nothing. */
export const readRequestBody = async (
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Buffer | 'too large' | 'broken off'> => {
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) return 'too large';
  if (request.headers.expect !== undefined) response.writeContinue();
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= maxBodyBytes) {
        chunks.push(chunk);
      } else {
        chunks.length = 0;
        resolve('too large');
      }
    });
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.once('error', () => resolve('broken off'));
  });
};
