import * as z from 'zod/mini';
import { type HeaderFields, type MultiHeaderFields, type RequestHeaders, readHeaders } from './headers.ts';

const text = z.nullish(z.string());
const isText = (value: unknown) => value === undefined || value === null || typeof value === 'string';
/** Looked through in one go: z.record copies the headers and takes five steps for each of them. */
const isFields = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every(isText);
const fields = z._default(z.nullable(z.custom<HeaderFields>(isFields)), null);

const shared = {
  headers: fields,
  pathParameters: fields,
  body: text,
  isBase64Encoded: z.nullish(z.boolean()),
};

/** Payload format 2.0 (HTTP API): headers joined, path decoded. */
const Format2Schema = z.object({
  ...shared,
  version: z.literal('2.0'),
  requestContext: z.nullish(
    z.object({
      requestId: text,
      http: z.nullish(z.object({ method: z.nullish(z.literal('PATCH')) })),
    }),
  ),
});

/** Payload format 1.0 (REST API, which leaves the version out): headers also in lists, path still encoded. */
const Format1Schema = z.object({
  ...shared,
  version: z.optional(z.literal('1.0')),
  httpMethod: z.literal('PATCH'),
  multiValueHeaders: z._default(z.nullable(z.record(z.string(), z.nullish(z.array(z.string())))), null),
  requestContext: z.nullish(z.object({ requestId: text })),
});

/** A request as both formats tell it. */
export type EventRequest = {
  readonly format: '1.0' | '2.0' | 'unrecognised';
  readonly gatewayRequestId: string | undefined;
  readonly headers: RequestHeaders;
  readonly spaceId: string;
  readonly fileId: string;
  readonly body: string;
  readonly isBase64Encoded: boolean;
};

const nothing: EventRequest = {
  format: 'unrecognised',
  gatewayRequestId: undefined,
  headers: new Map(),
  spaceId: '',
  fileId: '',
  body: '',
  isBase64Encoded: false,
};

/** A path that is not decodable names nothing. */
const decode = (encoded: string): string => {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return '';
  }
};

type Event = z.infer<typeof Format2Schema> | z.infer<typeof Format1Schema>;

const toRequest = (
  event: Event,
  format: '1.0' | '2.0',
  multiValueHeaders: MultiHeaderFields,
): EventRequest => {
  const parameter = (name: string) => event.pathParameters?.[name] ?? '';
  const decoded = (name: string) => (format === '2.0' ? parameter(name) : decode(parameter(name)));
  return {
    format,
    gatewayRequestId: event.requestContext?.requestId ?? undefined,
    headers: readHeaders(event.headers ?? {}, multiValueHeaders),
    spaceId: decoded('spaceId'),
    fileId: decoded('fileId'),
    body: event.body ?? '',
    isBase64Encoded: event.isBase64Encoded ?? false,
  };
};

/**
 * Reads an API Gateway event (AWS, "Create AWS Lambda proxy integrations for HTTP APIs"). Whatever is not a PATCH
 * request in one of the two formats is read as a request in which nothing was sent, and so is refused. Never throws.
 */
export const readEvent = (event: unknown): EventRequest => {
  const format2 = Format2Schema.safeParse(event);
  if (format2.success) return toRequest(format2.data, '2.0', {});
  const format1 = Format1Schema.safeParse(event);
  return format1.success ? toRequest(format1.data, '1.0', format1.data.multiValueHeaders ?? {}) : nothing;
};
