import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';

/** The one route, as API Gateway names it. */
export const routeKey = 'PATCH /v1/spaces/{spaceId}/files/{fileId}';
const routePath = /^\/v1\/spaces\/(?<spaceId>[^/]+)\/files\/(?<fileId>[^/]+)$/;

const textTypes = ['application/json', 'application/javascript', 'application/xml'];

/** The path is matched before it is decoded, so that an encoded slash stays inside its parameter. */
const readPath = (method: string, encodedPath: string) => {
  const groups = method === 'PATCH' ? routePath.exec(encodedPath)?.groups : undefined;
  if (groups === undefined) return 404;
  try {
    const parameters = Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]);
    return { rawPath: decodeURIComponent(encodedPath), pathParameters: Object.fromEntries(parameters) };
  } catch {
    return 400;
  }
};

/** Repeated parameters are joined by a comma. */
const readQuery = (rawQueryString: string) => {
  const query = new URLSearchParams(rawQueryString);
  if (query.size === 0) return {};
  const values = [...query.keys()].map((name) => [name, query.getAll(name).join()]);
  return { queryStringParameters: Object.fromEntries(values) };
};

const isText = (headers: Record<string, string>): boolean => {
  const type = headers['content-type']?.toLowerCase().split(';')[0]?.trim() ?? '';
  return type.startsWith('text/') || /\+(json|xml)$/.test(type) || textTypes.includes(type);
};

/** Text of a text type arrives as text; everything else, also compressed text, in base64. */
const readBody = (bytes: Buffer, headers: Record<string, string>) => {
  if (bytes.length === 0) return { isBase64Encoded: false };
  const base64 = { body: bytes.toString('base64'), isBase64Encoded: true };
  if (headers['content-encoding'] !== undefined || !isText(headers)) return base64;
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    return { body: decoder.decode(bytes), isBase64Encoded: false };
  } catch {
    return base64;
  }
};

/** In the common log format, in UTC: `12/Mar/2020:19:03:58 +0000`. */
const toLogTime = (time: Date): string => {
  const [, day, month, year, clock] = time.toUTCString().split(' ');
  return `${day}/${month}/${year}:${clock} +0000`;
};

/**
 * The event with which API Gateway's HTTP API calls the function, in payload format 2.0. 404 if the request matches no
 * route, 400 if the percent encoding of its path is malformed.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */
export const toEvent = (request: IncomingMessage, bytes: Buffer): APIGatewayProxyEventV2 | 400 | 404 => {
  const { method = '', url = '', httpVersion, socket } = request;
  const [encodedPath = '', ...query] = url.split('?');
  const path = readPath(method, encodedPath);
  if (typeof path === 'number') return path;
  const rawQueryString = query.join('?');
  // Unlike `headers`, it drops no repeated header.
  const { cookie, ...lists } = request.headersDistinct;
  const headers = Object.fromEntries(
    Object.entries(lists).map(([name, values = []]) => [name, values.join()]),
  );
  const [domainName = ''] = (headers['host'] ?? '').split(':');
  const time = new Date();
  return {
    version: '2.0',
    routeKey,
    ...path,
    rawQueryString,
    ...readQuery(rawQueryString),
    ...(cookie && { cookies: cookie.flatMap((value) => value.split(/; */)) }),
    headers,
    requestContext: {
      accountId: '000000000000',
      apiId: 'local',
      domainName,
      domainPrefix: domainName.split('.')[0] ?? '',
      http: {
        method,
        path: path.rawPath,
        protocol: `HTTP/${httpVersion}`,
        sourceIp: socket.remoteAddress ?? '',
        userAgent: headers['user-agent'] ?? '',
      },
      requestId: randomUUID(),
      routeKey,
      stage: '$default',
      time: toLogTime(time),
      timeEpoch: time.getTime(),
    },
    ...readBody(bytes, headers),
  };
};
