import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { buildQueryString, type HttpHandler, type HttpRequest } from '@smithy/core/protocols';
import { HttpResponse } from '@smithy/core/transport';

type Options = {
  /** Milliseconds until a connection must stand; without it there is no limit. */
  readonly connectionTimeout?: number | undefined;
};

/** As many as the SDK opens. */
const agentOptions = { keepAlive: true, maxSockets: 50 };

/** Its name is what the SDK classifies by: worth repeating. */
const connectTimeout = (ms: number) =>
  Object.assign(new Error(`no connection within ${ms} ms`), { name: 'TimeoutError' });

const limitConnecting = (request: ClientRequest, ms: number): void => {
  request.once('socket', (socket) => {
    if (!socket.connecting) return;
    const timer = setTimeout(() => request.destroy(connectTimeout(ms)), ms);
    const stop = () => clearTimeout(timer);
    socket.once('connect', stop).once('close', stop);
  });
};

const abortError = (cause: unknown) =>
  Object.assign(new Error('request aborted', { cause }), { name: 'AbortError' });

/** By hand: the `signal` option of node:http costs twenty allocations per request. */
const obey = (signal: AbortSignal, request: ClientRequest): void => {
  const abort = () => request.destroy(abortError(signal.reason));
  signal.addEventListener('abort', abort);
  request.once('close', () => signal.removeEventListener('abort', abort));
};

const pathOf = ({ path, query }: HttpRequest): string => {
  const text = query && buildQueryString(query);
  return text ? `${path}?${text}` : path;
};

/** A URL writes an IPv6 address in brackets; a socket wants it without. */
const hostOf = ({ hostname }: HttpRequest): string => hostname.replace(/^\[|\]$/g, '');

/** A header that came twice is one with a comma. */
const headersOf = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

/**
 * Sends the SDK's requests over kept connections. A request ends with its reply's head, with what broke the
 * connection, or with an AbortError; its whole time is the caller's signal to limit.
 */
const createRequestHandler = ({ connectionTimeout }: Options): HttpHandler<Options> => {
  const http = new HttpAgent(agentOptions);
  const https = new HttpsAgent(agentOptions);
  return {
    metadata: { handlerProtocol: 'http/1.1' },
    handle: (message, { abortSignal } = {}) =>
      new Promise((resolve, reject) => {
        if (abortSignal?.aborted) throw abortError(undefined);
        const secure = message.protocol === 'https:';
        const options = {
          agent: secure ? https : http,
          method: message.method,
          host: hostOf(message),
          port: message.port,
          path: pathOf(message),
          headers: message.headers,
        };
        const request = secure ? httpsRequest(options) : httpRequest(options);
        request.once('error', reject);
        request.once('response', (reply) => {
          const { statusCode = 0, statusMessage: reason = '' } = reply;
          const headers = headersOf(reply);
          resolve({ response: new HttpResponse({ statusCode, reason, headers, body: reply }) });
        });
        if (abortSignal instanceof AbortSignal) obey(abortSignal, request);
        if (connectionTimeout) limitConnecting(request, connectionTimeout);
        request.end(message.body);
      }),
    destroy: () => {
      http.destroy();
      https.destroy();
    },
    updateHttpClientConfig: () => undefined,
    httpHandlerConfigs: () => ({ connectionTimeout }),
  };
};

/**
 * Stands in for @smithy/node-http-handler in the deployed bundle (docs/decisions/008), of which DynamoDB needs the
 * small part above.
 */
export const NodeHttpHandler = { create: createRequestHandler };
export { collectStream as streamCollector } from './collect-stream.ts';
