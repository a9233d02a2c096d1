import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { toEventBody } from './http-body.ts';
import { toEventHeaders } from './http-headers.ts';
import { matchRoute, routeKey } from './route.ts';

/** A request as it came in. `target` is the raw request target, `time` the moment of arrival. */
export type HttpRequest = {
  method: string;
  target: string;
  httpVersion: string;
  rawHeaders: readonly string[];
  sourceIp: string;
  body: Buffer;
  requestId: string;
  time: Date;
};

/**
 * The event that API Gateway's HTTP API hands to the function for a request, in payload format 2.0; undefined when
 * no route matches. Throws URIError for a path whose percent encoding is broken.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */
export const toEvent = (request: HttpRequest): APIGatewayProxyEventV2 | undefined => {
  const { encodedPath, rawQueryString } = splitTarget(request.target);
  const pathParameters = matchRoute(request.method, encodedPath);
  if (pathParameters === undefined) return undefined;
  const rawPath = decodeURIComponent(encodedPath);
  const { headers, cookies } = toEventHeaders(request.rawHeaders);
  const queryStringParameters = toQueryStringParameters(rawQueryString);
  const [domainName = ''] = (headers['host'] ?? '').split(':');
  return {
    version: '2.0',
    routeKey,
    rawPath,
    rawQueryString,
    ...(cookies.length > 0 && { cookies }),
    headers,
    ...(queryStringParameters && { queryStringParameters }),
    requestContext: {
      accountId: '000000000000',
      apiId: 'local',
      domainName,
      domainPrefix: domainName.split('.')[0] ?? '',
      http: {
        method: request.method,
        path: rawPath,
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp: request.sourceIp,
        userAgent: headers['user-agent'] ?? '',
      },
      requestId: request.requestId,
      routeKey,
      stage: '$default',
      time: toLogTime(request.time),
      timeEpoch: request.time.getTime(),
    },
    pathParameters,
    ...toEventBody(request.body, headers),
  };
};

/** Splits the target at the question mark. A proxy's form, `http://host/path`, means the same path. */
export const splitTarget = (target: string): { encodedPath: string; rawQueryString: string } => {
  const [encodedPath = '', ...query] = target.replace(/^https?:\/\/[^/?]*/i, '').split('?');
  return { encodedPath, rawQueryString: query.join('?') };
};

const toQueryStringParameters = (rawQueryString: string): Record<string, string> | undefined => {
  const values = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(rawQueryString)) {
    values.set(name, [...(values.get(name) ?? []), value]);
  }
  if (values.size === 0) return undefined;
  return Object.fromEntries([...values].map(([name, list]) => [name, list.join()]));
};

/** The common log format's time in UTC: `12/Mar/2020:19:03:58 +0000`. */
const toLogTime = (time: Date): string => {
  const [, day, month, year, clock] = time.toUTCString().split(' ');
  return `${day}/${month}/${year}:${clock} +0000`;
};
