import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { hasCode, reasonOf } from '#tools/cli.ts';
import { createContext, type LambdaResponse, ResponseSchema } from '#tools/lambda.ts';
import { listen } from '#tools/listen.ts';
import { readServerlessConfig, type ServerlessFunction } from '#tools/serverless-config.ts';

/**
 * What an HTTP API takes for text. AWS does not say it. Somebody who sent each type to AWS found no other one, not even
 * `+json`: github.com/ministackorg/ministack/pull/766.
 */
const textType = /^(text\/|application\/(json|javascript|xml)\s*(;|$))/i;

/** A function, and what finds its path and the parameters in it. */
const toRoute = (target: ServerlessFunction) => {
  const [method = '', path = ''] = target.routeKey.split(' ');
  const pattern = path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)');
  return { target, method, pattern: new RegExp(`^${pattern}$`) };
};

/**
 * The function that a request names, and its path parameters. 404 if no route matches, 400 if its percent encoding is
 * malformed. The path is decoded, cut at a question mark and decoded again, as others have captured it of `rawPath`
 * (docs/contract.md, Ids in the path). Where the route is matched was not captured: here, between the two.
 */
const matchRoute = (routes: readonly ReturnType<typeof toRoute>[], { method, url = '' }: IncomingMessage) => {
  try {
    const [sentPath = ''] = url.split('?');
    const [path = ''] = decodeURIComponent(sentPath).split('?');
    const route = routes.find((one) => one.method === method && one.pattern.test(path));
    if (route === undefined) return 404;
    const groups = Object.entries(route.pattern.exec(path)?.groups ?? {});
    const parameters = groups.map(([name, value]) => [name, decodeURIComponent(value)]);
    const { target } = route;
    return { target, rawPath: decodeURIComponent(path), pathParameters: Object.fromEntries(parameters) };
  } catch {
    return 400;
  }
};
type Match = Exclude<ReturnType<typeof matchRoute>, number>;

/** Text of a text type arrives as text; everything else, also compressed text, in base64. */
const readBody = (bytes: Buffer, type = '') => {
  if (bytes.length === 0) return { isBase64Encoded: false };
  const isBase64Encoded = !textType.test(type) || !isUtf8(bytes);
  return { body: bytes.toString(isBase64Encoded ? 'base64' : 'utf8'), isBase64Encoded };
};

/**
 * The event with which API Gateway's HTTP API calls the function, in payload format 2.0. Without parsed query parameters
 * and cookies, which the function does not read.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */
const toEvent = (
  request: IncomingMessage,
  { target, ...route }: Match,
  bytes: Buffer,
): APIGatewayProxyEventV2 => {
  const { routeKey } = target;
  const { method = '', url = '', httpVersion, socket } = request;
  const [, ...query] = url.split('?');
  // Unlike `headers`, it drops no repeated header.
  const lists = Object.entries(request.headersDistinct);
  const headers = Object.fromEntries(lists.map(([name, values = []]) => [name, values.join()]));
  const time = new Date();
  return {
    version: '2.0',
    routeKey,
    ...route,
    rawQueryString: query.join('?'),
    headers,
    requestContext: {
      accountId: '000000000000',
      apiId: 'local',
      domainName: 'localhost',
      domainPrefix: 'localhost',
      http: {
        method,
        path: route.rawPath,
        protocol: `HTTP/${httpVersion}`,
        sourceIp: socket.remoteAddress ?? '',
        userAgent: headers['user-agent'] ?? '',
      },
      requestId: randomUUID(),
      routeKey,
      stage: '$default',
      time: time.toUTCString(),
      timeEpoch: time.getTime(),
    },
    ...readBody(bytes, headers['content-type']),
  };
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

/** A response of the gateway itself, in the form of API Gateway. Node itself responds to what is not HTTP. */
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

/** The body, or 413 as soon as it is too large, or 400 if it is malformed or ends early. */
const readBytes = (request: IncomingMessage) =>
  new Promise<Buffer | 400 | 413>((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxBodyBytes) resolve(413);
      else chunks.push(chunk);
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', () => resolve(400));
  });

type GatewayOptions = {
  /** Calls the function of this name, with an event and a context. */
  lambda: (event: APIGatewayProxyEventV2, context: Context, name: string) => unknown;
  /** 0 chooses a free one. */
  port?: number;
  /** Gets one line for each 500 that the gateway sends in place of the function. */
  report?: (line: string) => void;
  /** Serves a page and returns true, or returns false for a request to the function. */
  servePage?: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Called after each response of the gateway, with the milliseconds that the request took. */
  onResponse?: (request: IncomingMessage, response: LambdaResponse, ms: number) => void;
};

const respond = async (
  { lambda, report }: GatewayOptions,
  routes: readonly ReturnType<typeof toRoute>[],
  request: IncomingMessage,
) => {
  if (isForeign(request)) return errorResponse(403);
  const match = matchRoute(routes, request);
  if (typeof match === 'number') return errorResponse(match);
  const { name, limits } = match.target;
  try {
    const body = await readBytes(request);
    if (typeof body === 'number') return errorResponse(body);
    const event = toEvent(request, match, body);
    return ResponseSchema.parse(await lambda(event, createContext(limits), name));
  } catch (error) {
    report?.(`function: ${reasonOf(error)}`);
    return errorResponse(500);
  }
};

/** A browser takes either for `localhost`. If we listened on one alone, another program could get the requests to the other. */
const addresses = ['127.0.0.1', '::1'] as const;

/** Lets both servers listen on one port. Only the first one listens if this machine has no IPv6. */
const listenOnBoth = async (servers: readonly [Server, Server], givenPort = 0): Promise<number> => {
  const port = await listen(servers[0], givenPort, addresses[0]);
  try {
    return await listen(servers[1], port, addresses[1]);
  } catch (error) {
    if (!hasCode(error, 'EADDRINUSE')) return port;
    await once(servers[0].close(), 'close');
    throw error;
  }
};

/**
 * Starts an HTTP server on `localhost` that does what is documented of API Gateway's HTTP API, or what others have
 * captured of it, with the routes of serverless.yml, each with a Lambda integration.
 */
export const startGateway = async (options: GatewayOptions) => {
  const routes = readServerlessConfig().functions.map(toRoute);
  const send = async (request: IncomingMessage, response: ServerResponse) => {
    const start = performance.now();
    const result = await respond(options, routes, request);
    response.statusCode = result.statusCode;
    response.setHeaders(new Map(Object.entries(result.headers)));
    response.end(result.body);
    options.onResponse?.(request, result, performance.now() - start);
  };
  const createOne = () =>
    createServer((request, response) => {
      if (!isForeign(request) && options.servePage?.(request, response)) return;
      void send(request, response);
    });
  const servers = [createOne(), createOne()] as const;
  const port = await listenOnBoth(servers, options.port);
  const close = async () => {
    await Promise.all(
      servers.filter(({ listening }) => listening).map((server) => once(server.close(), 'close')),
    );
  };
  return { port, close };
};
