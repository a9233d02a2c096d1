import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';

/** The one route, as API Gateway names it. */
const routeKey = 'PATCH /v1/spaces/{spaceId}/files/{fileId}';
const routePath = /^\/v1\/spaces\/(?<spaceId>[^/]+)\/files\/(?<fileId>[^/]+)$/;

const textType = /^(text\/|application\/(json|javascript|xml)\s*(;|$)|[^;]*\+(json|xml)\s*(;|$))/i;

/**
 * What the path of a request names. 404 if no route matches, 400 if its percent encoding is malformed. The path is
 * matched before it is decoded, so that an encoded slash stays inside its parameter.
 */
export const matchRoute = ({ method, url = '' }: IncomingMessage) => {
  const [encodedPath = ''] = url.split('?');
  const groups = method === 'PATCH' ? routePath.exec(encodedPath)?.groups : undefined;
  if (groups === undefined) return 404;
  try {
    const parameters = Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]);
    return { rawPath: decodeURIComponent(encodedPath), pathParameters: Object.fromEntries(parameters) };
  } catch {
    return 400;
  }
};
type Route = Exclude<ReturnType<typeof matchRoute>, number>;

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
export const toEvent = (request: IncomingMessage, route: Route, bytes: Buffer): APIGatewayProxyEventV2 => {
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
