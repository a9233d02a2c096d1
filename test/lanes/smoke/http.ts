import * as http from 'node:http';
import * as https from 'node:https';
import { text } from 'node:stream/consumers';
import { proxyFor } from '#tools/proxy.ts';

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
  const agent = new Agent({ maxSockets: 50, proxyEnv: proxyFor(baseUrl) });

  return async ({ method, path, headers, body, chunked }) => {
    const length = `${Buffer.byteLength(body)}`;
    const framing = chunked ? ['transfer-encoding', 'chunked'] : ['content-length', length];
    // Node writes headers as Latin-1: UTF-8 goes out as it is.
    const fields = headers.map(([name, value]) => [name, Buffer.from(value).toString('latin1')]);
    const options = {
      method,
      path: pathname.replace(/\/+$/, '') + path,
      headers: ['host', host, ...fields.flat(), ...framing],
      agent,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    };
    // An error after the response means nothing: a rejected body may still be on its way.
    const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
      open(origin, options, resolve).on('error', reject).end(body);
    });
    const { statusCode = 0, headersDistinct } = response;
    const received = Object.entries(headersDistinct).map(([name, values = []]) => [name, values.join(', ')]);
    return { status: statusCode, headers: Object.fromEntries(received), text: await text(response) };
  };
};
