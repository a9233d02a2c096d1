import { once } from 'node:events';
import * as http from 'node:http';
import * as https from 'node:https';
import { text } from 'node:stream/consumers';

export type HttpRequest = {
  readonly method: string;
  /** The path and query below the base URL, as they are sent. */
  readonly path: string;
  /** A flat list of names and values. */
  readonly headers: readonly string[];
  readonly body: Uint8Array;
};
/** A response. A header that came more than once is one value with commas. */
export type HttpResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
};
export type Transport = {
  readonly send: (request: HttpRequest) => Promise<HttpResponse>;
  readonly close: () => void;
};

const TIMEOUT_MS = 10_000;

/**
 * Sends requests to one base URL, at most `maxSockets` at once. `fetch` cannot send a header twice, choose the letter
 * case of a name, or send a path as it is. With https, the certificate must be valid and TLS 1.2 or newer.
 */
export const createTransport = (baseUrl: URL, maxSockets = 1): Transport => {
  const { Agent, request: open } = baseUrl.protocol === 'https:' ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets, rejectUnauthorized: true, minVersion: 'TLSv1.2' });
  const prefix = baseUrl.pathname.replace(/\/+$/, '');

  const attempt = async (
    { method, path, headers, body }: HttpRequest,
    retry: boolean,
  ): Promise<HttpResponse> => {
    const request = open(baseUrl, {
      method,
      path: prefix + path,
      headers: ['host', baseUrl.host, ...headers],
      agent,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    // A rejected body may still be on its way when the response is there.
    request.on('error', () => undefined).end(body);
    try {
      const [response]: http.IncomingMessage[] = await once(request, 'response');
      const { statusCode = 0, headersDistinct = {} } = response ?? {};
      const fields = Object.entries(headersDistinct).map(([name, values = []]) => [name, values.join(', ')]);
      return {
        status: statusCode,
        headers: Object.fromEntries(fields),
        text: response ? await text(response) : '',
      };
    } catch (cause) {
      // A server may close a connection that was kept open: this says nothing about the request.
      const isClosed = cause instanceof Error && 'code' in cause && cause.code === 'ECONNRESET';
      if (isClosed && request.reusedSocket && retry) return attempt({ method, path, headers, body }, false);
      throw new Error(`${baseUrl.origin} does not respond`, { cause });
    }
  };
  return { send: (request) => attempt(request, true), close: () => agent.destroy() };
};
