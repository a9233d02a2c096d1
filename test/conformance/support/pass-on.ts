import type { IncomingMessage } from 'node:http';
import type { Answer } from '../http/answer.ts';
import type { HttpRequest } from '../http/request.ts';

/** A request without what concerns its connection alone. */
export const read = async (request: IncomingMessage): Promise<HttpRequest> => {
  const { method = '', url = '', rawHeaders } = request;
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const headers = rawHeaders.filter((_, index) => {
    const name = rawHeaders[index - (index % 2)] ?? '';
    return !/^(host|connection|content-length|transfer-encoding)$/i.test(name);
  });
  return { method, path: url, headers, body: Buffer.concat(chunks) };
};

/** Announces the length that the body has by now. */
export const withLength = (request: HttpRequest): HttpRequest => ({
  ...request,
  headers: [...request.headers, 'content-length', `${Buffer.from(request.body).length}`],
});

/** The headers to give on, with the length that the text has by now. */
export const toHeaders = ({ headers, text }: Answer): Record<string, string> => {
  const kept = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || /^(date|connection|keep-alive|content-length)$/.test(name)
      ? []
      : [[name, value] as const],
  );
  return { ...Object.fromEntries(kept), 'content-length': `${Buffer.byteLength(text)}` };
};
