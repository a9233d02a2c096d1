import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { codeOf, reasonOf, UsageError } from '#tools/cli.ts';
import { toEvent } from './http-event.ts';
import { callFunction, type LambdaFunction, type LambdaResponse } from './lambda.ts';
import type { Service } from './service.ts';

/** A gateway at http://localhost:`port`. `close` gives open requests half a second to finish. */
export type Gateway = { port: number; close: () => Promise<void> };

export type GatewayOptions = {
  lambda: LambdaFunction;
  service: Service;
  /** 0 chooses a free one. */
  port?: number;
  /** Gets one line for each 500 that the gateway sends in place of the function. */
  report?: (line: string) => void;
  /** Serves a page and returns true, or returns false for a request to the function. */
  servePage?: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Called after each response of the gateway, with the milliseconds that the request took. */
  onResponse?: (request: IncomingMessage, response: ServerResponse, ms: number) => void;
};

/** The payload quota of API Gateway's HTTP API. */
const maxBodyBytes = 10 * 1024 * 1024;
const drainMs = 500;

const messages = {
  400: 'Bad Request',
  404: 'Not Found',
  413: 'Request Entity Too Large',
  500: 'Internal Server Error',
};

/** A response of the gateway itself, in the form of API Gateway. */
const errorResponse = (statusCode: keyof typeof messages): LambdaResponse => ({
  statusCode,
  headers: { 'content-type': 'application/json' },
  cookies: [],
  body: JSON.stringify({ message: messages[statusCode] }),
  isBase64Encoded: false,
});

/** Undefined for a body over the quota. */
const readBody = async (request: IncomingMessage): Promise<Buffer | undefined> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes <= maxBodyBytes) chunks.push(chunk);
  }
  return bytes > maxBodyBytes ? undefined : Buffer.concat(chunks);
};

/** Throws, with nothing sent, if a header is invalid. */
const send = (response: ServerResponse, { statusCode, headers, cookies, ...content }: LambdaResponse) => {
  const bytes = Buffer.from(content.body, content.isBase64Encoded ? 'base64' : 'utf8');
  // A response with an invalid header has left its other headers.
  for (const name of response.getHeaderNames()) response.removeHeader(name);
  response.setHeaders(new Map(Object.entries(headers)));
  if (cookies.length > 0) response.setHeader('set-cookie', cookies);
  response.setHeader('content-length', bytes.length);
  response.writeHead(statusCode).end(bytes);
};

const handle = async (
  { lambda, service, report }: GatewayOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const body = await readBody(request);
  const event = toEvent(request, body ?? Buffer.alloc(0));
  if (typeof event === 'number') return send(response, errorResponse(event));
  if (body === undefined) return send(response, errorResponse(413));
  try {
    send(response, await callFunction(lambda, service, event));
  } catch (error) {
    report?.(`function: ${reasonOf(error)}`);
    send(response, errorResponse(500));
  }
};

/**
 * Starts an HTTP server on 127.0.0.1 that does what the documentation of API Gateway's HTTP API says about one route
 * with a Lambda integration.
 *
 * @throws {UsageError} if the port cannot be used
 */
export const startGateway = async (options: GatewayOptions): Promise<Gateway> => {
  const server = createServer((request, response) => {
    if (options.servePage?.(request, response)) return;
    const start = performance.now();
    response.once('finish', () => options.onResponse?.(request, response, performance.now() - start));
    // Only a client that disconnects while it sends its body ends up here.
    handle(options, request, response).catch(() => response.destroy());
  });
  const { port = 0 } = options;
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    throw new UsageError(`Port ${port} cannot be used (${codeOf(error)}): choose another with --port.`);
  }
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const close = async () => {
    const closed = once(server.close(), 'close');
    setTimeout(() => server.closeAllConnections(), drainMs).unref();
    await closed;
  };
  return { port: address.port, close };
};
