import type { ClientRequest, IncomingMessage } from 'node:http';

/** A header that came more than once is one value, joined by commas. */
export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
};
export type NoAnswer = { readonly status: 0; readonly reason: string };

/** Ends a request with its body and gives the whole answer. */
export const answerTo = (request: ClientRequest, body: Uint8Array): Promise<Answer> =>
  new Promise((resolve, reject) => {
    request.on('error', reject);
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => resolve(toAnswer(response, Buffer.concat(chunks).toString())));
    });
    request.end(body);
  });

const toAnswer = ({ statusCode = 0, headersDistinct }: IncomingMessage, text: string): Answer => ({
  status: statusCode,
  headers: Object.fromEntries(
    Object.entries(headersDistinct).map(([name, values]) => [name, values?.join(', ')]),
  ),
  text,
});
