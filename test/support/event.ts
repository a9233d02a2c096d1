import { FILE_ID } from './given.ts';

type EventOverrides = {
  readonly headers?: Record<string, string | undefined>;
  readonly spaceId?: string;
  readonly fileId?: string;
  readonly body?: string | undefined;
  readonly isBase64Encoded?: boolean;
  readonly extra?: Record<string, unknown>;
};

const goodHeaders = {
  'content-type': 'application/json',
  'x-api-key': 'editor-key',
  'x-tenant-id': 'acme',
  'x-user-id': 'grace',
};

const withoutUndefined = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** An event of payload format 2.0 that is answered 200, changed by the overrides; undefined leaves a part out. */
export const anEvent = (overrides: EventOverrides = {}): Record<string, unknown> => {
  const { headers, spaceId = 'handbook', fileId = FILE_ID, extra, ...rest } = overrides;
  const path = `/v1/spaces/${spaceId}/files/${fileId}`;
  return withoutUndefined({
    version: '2.0',
    routeKey: 'PATCH /v1/spaces/{spaceId}/files/{fileId}',
    rawPath: path,
    rawQueryString: '',
    headers: withoutUndefined({ ...goodHeaders, ...headers }),
    requestContext: {
      http: { method: 'PATCH', path, protocol: 'HTTP/1.1', sourceIp: '192.0.2.1', userAgent: 'curl' },
      requestId: 'gateway-1',
      stage: '$default',
    },
    pathParameters: { spaceId, fileId },
    body: '{"summary":"New."}',
    isBase64Encoded: false,
    ...rest,
    ...extra,
  });
};

/** The same request as payload format 1.0 tells it. */
export const aRestEvent = (overrides: EventOverrides = {}): Record<string, unknown> => {
  const { headers, spaceId = 'handbook', fileId = FILE_ID, extra, ...rest } = overrides;
  const all: Record<string, unknown> = withoutUndefined({ ...goodHeaders, ...headers });
  return {
    resource: '/v1/spaces/{spaceId}/files/{fileId}',
    path: `/v1/spaces/${spaceId}/files/${fileId}`,
    httpMethod: 'PATCH',
    headers: all,
    multiValueHeaders: Object.fromEntries(Object.entries(all).map(([name, value]) => [name, [value]])),
    queryStringParameters: null,
    multiValueQueryStringParameters: null,
    pathParameters: { spaceId, fileId },
    stageVariables: null,
    requestContext: { httpMethod: 'PATCH', requestId: 'gateway-1', stage: 'dev' },
    body: '{"summary":"New."}',
    isBase64Encoded: false,
    ...rest,
    ...extra,
  };
};

/** The same text as API Gateway hands over a body that it does not take for text. */
export const base64 = (text: string | Uint8Array): string => Buffer.from(text).toString('base64');
