import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { reasonOf } from '#tools/cli.ts';
import { matchRoute, toEvent } from './http-event.ts';
import { createContext, type LambdaFunction, type LambdaResponse, ResponseSchema } from './lambda.ts';
import { listen } from './listen.ts';
import { type Limits, readService } from './service.ts';

type GatewayOptions = {
  lambda: LambdaFunction;
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

const messages = {
  400: 'Bad Request',
  403: 'Forbidden: the header Host or Origin names another machine',
  404: 'Not Found',
  413: 'Request Entity Too Large',
  500: 'Internal Server Error',
};

/** A response of the gateway itself, in the form of API Gateway. */
const errorResponse = (statusCode: keyof typeof messages): LambdaResponse => ({
  statusCode,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ message: messages[statusCode] }),
});

const localNames = ['localhost', '127.0.0.1', '[::1]'];
const isLocal = (url: string) => URL.canParse(url) && localNames.includes(new URL(url).hostname);

/** Whether a web page sends it: one of another site, or one whose name an attacker has pointed to this machine. */
const isForeign = ({ headers: { host, origin } }: IncomingMessage) =>
  !isLocal(`http://${host}`) || (origin !== undefined && !isLocal(origin));

/** The body of a request. Undefined as soon as it is larger than API Gateway allows; the rest is then thrown away. */
const receiveBody = (request: IncomingMessage) =>
  new Promise<Buffer | undefined>((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxBodyBytes) resolve(undefined);
      else chunks.push(chunk);
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', reject);
  });

const respond = async ({ lambda, report }: GatewayOptions, limits: Limits, request: IncomingMessage) => {
  if (isForeign(request)) return errorResponse(403);
  const route = matchRoute(request);
  if (typeof route === 'number') return errorResponse(route);
  try {
    const body = await receiveBody(request);
    if (body === undefined) return errorResponse(413);
    const event = toEvent(request, route, body);
    return ResponseSchema.parse(await lambda(event, createContext(limits)));
  } catch (error) {
    report?.(`function: ${reasonOf(error)}`);
    return errorResponse(500);
  }
};

/**
 * Starts an HTTP server on 127.0.0.1 that does what the documentation of API Gateway's HTTP API says about one route
 * with a Lambda integration.
 */
export const startGateway = async (options: GatewayOptions) => {
  const { limits } = readService();
  const server = createServer(async (request, response) => {
    if (!isForeign(request) && options.servePage?.(request, response)) return;
    const start = performance.now();
    const { statusCode, headers, body } = await respond(options, limits, request);
    response.statusCode = statusCode;
    response.setHeaders(new Map(Object.entries(headers)));
    response.end(body);
    options.onResponse?.(request, response, performance.now() - start);
  });
  const port = await listen(server, options.port);
  const close = async () => void (await once(server.close(), 'close'));
  return { port, close };
};
