/** The payload format of the event that carries a request. */
export type Format = '1.0' | '2.0';

/** What a generator may draw from. */
export type Source = { readonly random: () => number; readonly format: Format };

/** A request that must be refused: what differs from a good one, and every answer that is right ("400 message"). */
export type BadRequest = {
  readonly headers?: Record<string, string | undefined>;
  /** As the format carries it: encoded in 1.0, decoded in 2.0. */
  readonly spaceId?: string;
  readonly fileId?: string;
  readonly body?: string | undefined;
  readonly isBase64Encoded?: boolean;
  /** Parts of the event put in place of its own; undefined leaves one out. */
  readonly extra?: Record<string, unknown>;
  /** The whole event, when it is no request at all. */
  readonly event?: { readonly value: unknown };
  readonly expected: readonly [string, ...string[]];
};

/** A named source of bad requests. A heavy one makes events of megabytes and runs less often. */
export type Generator = {
  readonly name: string;
  readonly heavy?: boolean;
  readonly make: (source: Source) => BadRequest;
};

/** Many generators at once: a name and what to make for each. */
export const generators = (
  group: string,
  makers: Readonly<Record<string, Generator['make']>>,
  options: { readonly heavy?: boolean } = {},
): readonly Generator[] =>
  Object.entries(makers).map(([name, make]) => ({ name: `${group}: ${name}`, make, ...options }));

/** The answers by the words of the contract. */
export const answer = {
  userMissing: '400 x-user-id is required',
  keyInvalid: '401 Invalid API Key',
  denied: '403 API Key does not have permission to access this resource',
  mediaType: '415 Content-Type must be application/json',
  encoding: '415 Content-Encoding is not supported',
  tooLarge: '413 Request body is too large',
  bodyMissing: '400 Request body is required',
  notJson: '400 Request body is not valid JSON',
  notObject: '400 Request body must be a JSON object',
  empty: '400 At least one of summary, documentKind must be provided',
  noSpace: '404 Space not found',
  noFile: '404 File not found',
  ifMatch: '400 If-Match is invalid',
  changed: '412 File was changed by another request',
  itemTooLarge: '413 File metadata is too large',
} as const;
