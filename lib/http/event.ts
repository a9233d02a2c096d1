import type { Context } from 'aws-lambda';
import * as z from 'zod/mini';
import { ApiError, InternalError } from '#lib/domain/errors.ts';
import type { RequestContext, System } from '#lib/system.ts';

/** The longest time for one request, in milliseconds. */
const MAX_REQUEST_MS = 5_000;
/** The part of Lambda's remaining time kept back, in milliseconds, so that our response leaves before Lambda's own. */
export const RESERVED_MS = 500;

type HeaderFields = Readonly<Record<string, string | null | undefined>>;
type MultiHeaderFields = Readonly<Record<string, readonly string[] | null | undefined>>;

const text = z.nullish(z.string());
const isText = (value: unknown) => value === undefined || value === null || typeof value === 'string';
/** One check for all fields: z.record copies the headers and takes five steps for each of them. */
const isFields = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every(isText);
const fields = z._default(z.nullable(z.custom<HeaderFields>(isFields)), null);

const shared = {
  headers: fields,
  pathParameters: fields,
  body: text,
  isBase64Encoded: z.nullish(z.boolean()),
};

/** Payload format 2.0 (HTTP API, Function URL): headers joined, path parameters decoded. */
const Format2Schema = z.object({
  ...shared,
  version: z.literal('2.0'),
  rawPath: text,
  requestContext: z.object({
    requestId: text,
    domainName: text,
    http: z.object({ method: z.literal('PATCH') }),
  }),
});

/**
 * Payload format 1.0 (HTTP API; REST API and Application Load Balancer, which leave the version out): headers also in
 * lists, path parameters still encoded.
 */
const Format1Schema = z.object({
  ...shared,
  version: z.optional(z.literal('1.0')),
  path: text,
  httpMethod: z.literal('PATCH'),
  multiValueHeaders: z._default(z.nullable(z.record(z.string(), z.nullish(z.array(z.string())))), null),
  requestContext: z.nullish(z.object({ requestId: text })),
});

const EventSchema = z.union([Format2Schema, Format1Schema]);

/** The headers of a request by lower-case name. A repeated header is one value joined by commas (RFC 9110, 5.3). */
export type RequestHeaders = ReadonlyMap<string, string>;

/** A request, whatever the format of its event. */
type EventRequest = {
  readonly format: '1.0' | '2.0' | 'unrecognized';
  readonly gatewayRequestId: string | undefined;
  readonly headers: RequestHeaders;
  readonly spaceId: string;
  readonly fileId: string;
  readonly body: string;
  readonly isBase64Encoded: boolean;
  /** Why an unrecognized event is not served. */
  readonly error?: Error;
};

/**
 * Collects the headers of an event, whatever their letter case. Two spellings of one name count as one header sent
 * twice; a value that is in both forms of format 1.0 does not.
 */
const readHeaders = (single: HeaderFields, multi: MultiHeaderFields): RequestHeaders => {
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

type Event = z.infer<typeof EventSchema>;
type Ids = Pick<EventRequest, 'spaceId' | 'fileId'>;

/** The names of its parameters are those of the route in serverless.yml. */
const ROUTE = '/v1/spaces/{spaceId}/files/{fileId}';
const ROUTE_PATH = /^\/v1\/spaces\/([^/]+)\/files\/([^/]+)$/;

/** Other triggers pass on the path as it was sent. An HTTP API decodes it, in part twice, and cuts it at `%3F`. */
const isOfHttpApi = (event: Event): boolean =>
  event.version === '2.0'
    ? event.requestContext.domainName?.includes('.lambda-url.') !== true
    : event.version === '1.0';

/** The ids in the parameters of our own route, or else in the path that another trigger passes on. */
const readIds = (event: Event): Ids | Error => {
  const { spaceId, fileId } = event.pathParameters ?? {};
  if (typeof spaceId === 'string' && typeof fileId === 'string')
    return event.version === '2.0'
      ? { spaceId, fileId }
      : { spaceId: decode(spaceId), fileId: decode(fileId) };
  // Read from its path, `a%3Fb` would be the file `a`.
  if (isOfHttpApi(event))
    return new InternalError(`wrong trigger: use the route PATCH ${ROUTE}, which has path parameters`);
  const path = event.version === '2.0' ? event.rawPath : event.path;
  const [, space, file] = ROUTE_PATH.exec(path ?? '') ?? [];
  return space === undefined || file === undefined
    ? new ApiError('user-id-missing', { reason: `path is not ${ROUTE}` })
    : { spaceId: decode(space), fileId: decode(file) };
};

/** A request of which nothing is read. */
const unrecognized: EventRequest = {
  format: 'unrecognized',
  gatewayRequestId: undefined,
  headers: new Map(),
  spaceId: '',
  fileId: '',
  body: '',
  isBase64Encoded: false,
};

/**
 * Reads an event of API Gateway, a Function URL or an Application Load Balancer (AWS, "Create AWS Lambda proxy
 * integrations for HTTP APIs", "Invoking Lambda function URLs", "Lambda functions as targets"). Anything that is not a
 * PATCH request in one of the two formats is unrecognized. Never throws.
 */
const readEvent = (event: unknown): EventRequest => {
  const { data } = EventSchema.safeParse(event);
  if (!data) {
    const reason = 'event is not a PATCH request of a known format';
    return { ...unrecognized, error: new ApiError('user-id-missing', { reason }) };
  }
  const gatewayRequestId = data.requestContext?.requestId ?? undefined;
  const ids = readIds(data);
  if (ids instanceof Error) return { ...unrecognized, gatewayRequestId, error: ids };
  return {
    format: data.version ?? '1.0',
    gatewayRequestId,
    headers: readHeaders(data.headers ?? {}, ('multiValueHeaders' in data && data.multiValueHeaders) || {}),
    ...ids,
    body: data.body ?? '',
    isBase64Encoded: data.isBase64Encoded ?? false,
  };
};

/** A request in progress: what was sent, and what everything that is done for it shares. */
export type ApiRequest = EventRequest & {
  readonly context: RequestContext;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly awsRequestId: string | undefined;
};

/**
 * Turns an event into a request and starts its deadline. The id is our own and not the gateway's: it marks writes, so
 * it must be new even when an event is replayed.
 *
 * @throws whatever the clocks or the id source throw
 */
export const openRequest = (
  event: unknown,
  lambda: Partial<Pick<Context, 'getRemainingTimeInMillis' | 'awsRequestId'>>,
  { now, uptime, newId }: Pick<System, 'now' | 'uptime' | 'newId'>,
): ApiRequest => {
  const left = (lambda.getRemainingTimeInMillis?.() ?? Number.POSITIVE_INFINITY) - RESERVED_MS;
  return {
    ...readEvent(event),
    context: {
      requestId: newId(),
      deadline: uptime() + Math.min(MAX_REQUEST_MS, left),
      logFields: { retries: 0, conflicts: 0, versionAheadMs: 0 },
    },
    startedAt: now(),
    awsRequestId: lambda.awsRequestId,
  };
};
