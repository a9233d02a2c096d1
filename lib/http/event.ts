import * as z from 'zod/mini';
import { parseData, propertyOf } from '#lib/domain/parse-data.ts';
import type { RequestContext } from '#lib/request-context.ts';

type Headers = Readonly<Record<string, string | null | undefined>>;
type MultiHeaders = Readonly<Record<string, readonly string[] | null | undefined>>;

const OptionalStringSchema = z.nullish(z.string());
const isOptionalString = (value: unknown) =>
  value === undefined || value === null || typeof value === 'string';
/** One function checks all headers. z.record would copy them, and call several functions for each one. */
const areHeaders = (value: unknown) =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every(isOptionalString);
const HeadersSchema = z._default(z.nullable(z.custom<Headers>(areHeaders)), null);

const shared = {
  headers: HeadersSchema,
  /** Events of other routes and triggers lack them, and are rejected as `wrong trigger`. */
  pathParameters: z.object({ spaceId: z.string(), fileId: z.string() }),
  body: OptionalStringSchema,
  isBase64Encoded: z.nullish(z.boolean()),
};
/** Payload format 2.0 (HTTP API): headers joined, path parameters decoded. */
const Format2Schema = z.object({
  ...shared,
  version: z.literal('2.0'),
  requestContext: z.object({ requestId: OptionalStringSchema, http: z.object({ method: z.string() }) }),
});
/**
 * Payload format 1.0 of a REST API: headers in lists too, path parameters encoded. It has no version. An HTTP API that
 * is set to format 1.0 sends the version 1.0 and decoded path parameters, which must not be decoded again.
 */
const Format1Schema = z.object({
  ...shared,
  version: z.optional(z.never()),
  httpMethod: z.string(),
  multiValueHeaders: z._default(z.nullable(z.record(z.string(), z.nullish(z.array(z.string())))), null),
  requestContext: z.nullish(z.object({ requestId: OptionalStringSchema })),
});

/** The headers of a request by lower-case name. A repeated header is one value joined by commas (RFC 9110, 5.3). */
export type RequestHeaders = ReadonlyMap<string, string>;

/** A request in progress: what its event says, whatever the format, and what everything that is done for it shares. */
export type ApiRequest = {
  readonly context: RequestContext;
  readonly format: '1.0' | '2.0';
  readonly gatewayRequestId: string | undefined;
  readonly headers: RequestHeaders;
  /** The path parameters, decoded. */
  readonly path: { readonly spaceId: string; readonly fileId: string };
  /** Empty if there is none. */
  readonly body: string;
  readonly isBase64Encoded: boolean;
};

/**
 * Collects the headers of an event, whatever their letter case. Two spellings of one name count as one header sent
 * twice; a value that is in both forms of format 1.0 does not.
 */
const readHeaders = (single: Headers, multi: MultiHeaders): RequestHeaders => {
  const headers = new Map<string, string>();
  const add = (name: string, value: string) => {
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : `${before},${value}`);
  };

  const inMulti = new Set<string>();
  for (const [name, values] of Object.entries(multi))
    for (const value of values ?? []) {
      inMulti.add(`${name.toLowerCase()}:${value}`);
      add(name.toLowerCase(), value);
    }
  for (const [name, value] of Object.entries(single))
    if (typeof value === 'string' && !inMulti.has(`${name.toLowerCase()}:${value}`))
      add(name.toLowerCase(), value);
  return headers;
};

/** A path that cannot be decoded names nothing. */
const decode = (encoded: string): string => {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return '';
  }
};

/**
 * Reads an event of an HTTP API in payload format 2.0, or of a REST API (AWS, "Create AWS Lambda proxy integrations for
 * HTTP APIs"). The method and the path of a route are in serverless.yml only.
 *
 * @throws {InternalError} `wrong trigger`, for any other event: names each part that is missing or of another type
 */
export const readEvent = (event: unknown, context: RequestContext): ApiRequest => {
  const subject = 'wrong trigger: event';
  const isFormat2 = propertyOf(event, 'version') === '2.0';
  const data = isFormat2
    ? parseData(Format2Schema, subject, event)
    : parseData(Format1Schema, subject, event);
  const { spaceId, fileId } = data.pathParameters;
  return {
    context,
    format: isFormat2 ? '2.0' : '1.0',
    gatewayRequestId: data.requestContext?.requestId ?? undefined,
    headers: readHeaders(data.headers ?? {}, ('multiValueHeaders' in data && data.multiValueHeaders) || {}),
    path: isFormat2 ? { spaceId, fileId } : { spaceId: decode(spaceId), fileId: decode(fileId) },
    body: data.body ?? '',
    isBase64Encoded: data.isBase64Encoded ?? false,
  };
};
