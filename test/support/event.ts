import type { Context } from 'aws-lambda';
import { createContext } from '#tools/lambda.ts';
import { API_KEY, FILE_ID } from './fixtures.ts';

export type EventOverrides = {
  readonly headers?: Record<string, string | undefined>;
  readonly spaceId?: string;
  readonly fileId?: string;
  readonly body?: string | null | undefined;
  readonly isBase64Encoded?: boolean;
  readonly extra?: Record<string, unknown>;
};

const validHeaders = {
  'content-type': 'application/json',
  'x-api-key': API_KEY,
  'x-tenant-id': 'acme',
  'x-user-id': 'grace',
};

/** An event of payload format 2.0 whose response is 200, changed by the overrides. JSON drops what is undefined. */
export const anEvent = (overrides: EventOverrides = {}): Record<string, unknown> => {
  const { headers, spaceId = 'handbook', fileId = FILE_ID, extra, ...rest } = overrides;
  const event = {
    version: '2.0',
    headers: { ...validHeaders, ...headers },
    requestContext: { http: { method: 'PATCH' }, requestId: 'gateway-1' },
    pathParameters: { spaceId, fileId },
    body: '{"summary":"New."}',
    isBase64Encoded: false,
    ...rest,
    ...extra,
  };
  return JSON.parse(JSON.stringify(event));
};

/** The same request in payload format 1.0. */
export const aRestEvent = ({ extra, ...overrides }: EventOverrides = {}): Record<string, unknown> => {
  const { version: _, headers, ...event } = anEvent(overrides);
  const lists = Object.entries(headers ?? {}).map(([name, value]) => [name, [value]]);
  return {
    ...event,
    httpMethod: 'PATCH',
    headers,
    multiValueHeaders: Object.fromEntries(lists),
    requestContext: { httpMethod: 'PATCH', requestId: 'gateway-1' },
    ...extra,
  };
};

const encode = (id: string) => (id.isWellFormed() ? encodeURIComponent(id) : id);
/** The event of a request in each payload format. API Gateway decodes the ids of a path in format 2.0 only. */
export const formats = {
  '1.0': ({ spaceId = 'handbook', fileId = FILE_ID, ...overrides }: EventOverrides) =>
    aRestEvent({ ...overrides, spaceId: encode(spaceId), fileId: encode(fileId) }),
  '2.0': anEvent,
};

/** A body as API Gateway sends one that it does not take for text. */
export const base64 = (text: string | Uint8Array): string => Buffer.from(text).toString('base64');

/** What Lambda passes besides the event. */
export const aContext = (remainingMs = 10_000): Context => ({
  ...createContext({ memorySize: 512, timeout: 10 }),
  awsRequestId: 'lambda-1',
  getRemainingTimeInMillis: () => remainingMs,
});
