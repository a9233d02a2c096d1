import { once } from 'node:events';
import * as http from 'node:http';
import * as https from 'node:https';
import { text } from 'node:stream/consumers';

export type HttpRequest = {
  readonly method: string;
  /** The path and query below the base URL, as they are sent. */
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | Uint8Array;
  /** Sends the body in chunks, without its length. */
  readonly chunked?: boolean | undefined;
};
/** A response. A header that came more than once is one value with commas. */
export type HttpResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
};
export type Send = (request: HttpRequest) => Promise<HttpResponse>;

const TIMEOUT_MS = 10_000;

/**
 * Sends requests to a base URL, each on its own connection. `fetch` cannot send a header twice, choose the letter case
 * of a name, or send a path as it is.
 */
export const createSend = (baseUrl: string): Send => {
  const { protocol, origin, host, pathname } = new URL(baseUrl);
  const { Agent, request: open } = protocol === 'https:' ? https : http;
  const agent = new Agent({ maxSockets: 50 });

  return async ({ method, path, headers, body, chunked }) => {
    const framing = chunked
      ? ['transfer-encoding', 'chunked']
      : ['content-length', `${Buffer.byteLength(body)}`];
    // Node writes headers as Latin-1: UTF-8 goes out as it is.
    const fields = headers.map(([name, value]) => [name, Buffer.from(value).toString('latin1')]);
    const request = open(origin, {
      method,
      path: pathname.replace(/\/+$/, '') + path,
      headers: ['host', host, ...fields.flat(), ...framing],
      agent,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    // A rejected body may still be on its way when the response is there.
    request.on('error', () => undefined).end(body);
    const [response]: http.IncomingMessage[] = await once(request, 'response');
    const { statusCode = 0, headersDistinct = {} } = response ?? {};
    return {
      status: statusCode,
      headers: Object.fromEntries(
        Object.entries(headersDistinct).map(([name, values = []]) => [name, values.join(', ')]),
      ),
      text: response ? await text(response) : '',
    };
  };
};
