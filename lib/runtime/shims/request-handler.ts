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
  /** Milliseconds in which a connection must be established; without it there is no limit. */
  readonly connectionTimeout?: number | undefined;
};

/** As many as the SDK opens. */
const agentOptions = { keepAlive: true, maxSockets: 50 };

/** The SDK classifies errors of this name as transient. */
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

const connectionClosed = () =>
  Object.assign(new Error('connection closed without a response'), { code: 'ECONNRESET' });

const abortError = (cause: unknown) =>
  Object.assign(new Error('request aborted', { cause }), { name: 'AbortError' });

/** Without the `signal` option of node:http, which costs twenty allocations per request. */
const destroyOnAbort = (signal: AbortSignal, request: ClientRequest): void => {
  const abort = () => request.destroy(abortError(signal.reason));
  signal.addEventListener('abort', abort);
  request.once('close', () => signal.removeEventListener('abort', abort));
};

const pathOf = ({ path, query }: HttpRequest): string => {
  const text = query && buildQueryString(query);
  return text ? `${path}?${text}` : path;
};

/** A URL has an IPv6 address in brackets, a socket wants it without. */
const hostOf = ({ hostname }: HttpRequest): string => hostname.replace(/^\[|\]$/g, '');

/** A repeated header is one value joined by commas. */
const headersOf = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

/** The longest response body that is read, in bytes. Two items of 400 KB take less, whatever they hold. */
export const MAX_RESPONSE_BYTES = 8 * 1024 * 1024;

const tooLarge = () =>
  Object.assign(new Error(`response of more than ${MAX_RESPONSE_BYTES} bytes`), {
    code: 'ERR_RESPONSE_TOO_LARGE',
  });

/**
 * Reads a response to its end. The SDK's own collector pipes it into a stream, and a pipe keeps both ends alive beyond
 * the next quick garbage collection: twice the memory under load.
 *
 * @throws what the connection threw when it broke off, or an error for a response above MAX_RESPONSE_BYTES
 */
export const streamCollector = (response: IncomingMessage): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    response.on('data', (chunk: Uint8Array) => {
      bytes += chunk.byteLength;
      if (bytes > MAX_RESPONSE_BYTES) response.destroy(tooLarge());
      else chunks.push(chunk);
    });
    response.once('error', reject);
    response.once('end', () => resolve(Buffer.concat(chunks)));
  });

/**
 * Sends the SDK's requests over kept connections. A request ends with the head of its response, with what broke the
 * connection, or with an AbortError; the caller's signal limits its whole time.
 */
const createRequestHandler = ({ connectionTimeout }: Options): HttpHandler<Options> => {
  const http = new HttpAgent(agentOptions);
  const https = new HttpsAgent(agentOptions);
  return {
    metadata: { handlerProtocol: 'http/1.1' },
    handle: (outgoing, { abortSignal } = {}) =>
      new Promise((resolve, reject) => {
        if (abortSignal?.aborted) throw abortError(undefined);
        const secure = outgoing.protocol === 'https:';
        const options = {
          agent: secure ? https : http,
          method: outgoing.method,
          host: hostOf(outgoing),
          port: outgoing.port,
          path: pathOf(outgoing),
          headers: outgoing.headers,
        };
        const request = secure ? httpsRequest(options) : httpRequest(options);
        request.once('error', reject);
        // A switch of protocols ends the connection without a response and without an error.
        request.once('close', () => reject(connectionClosed()));
        request.once('response', (message) => {
          const { statusCode = 0, statusMessage: reason = '' } = message;
          const headers = headersOf(message);
          resolve({ response: new HttpResponse({ statusCode, reason, headers, body: message }) });
        });
        if (abortSignal instanceof AbortSignal) destroyOnAbort(abortSignal, request);
        if (connectionTimeout) limitConnecting(request, connectionTimeout);
        request.end(outgoing.body);
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
 * Shim for @smithy/node-http-handler in the deployed bundle (docs/decisions/006), of which DynamoDB needs the small
 * part above.
 */
export const NodeHttpHandler = { create: createRequestHandler };
