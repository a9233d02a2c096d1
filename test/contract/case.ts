/** The files that cases update: each shape of docs/contract.md, and a file in a private space. */
export type FileName = 'detailed' | 'basic' | 'private';

/** The values of the two editable fields. */
export type Editable = { readonly summary: string | null; readonly documentKind: string | null };

type HeaderValue = string | readonly string[] | null;

/**
 * How a request differs from a valid update of the file. Texts may have placeholders of the fixture, for example
 * `{apiKeys.editor}`; `{etag}` and `{stale}` are the current and the previous etag of the file.
 */
export type Sent = {
  readonly method?: string;
  /** The path segments; `path` replaces the whole path below the base URL. */
  readonly space?: string;
  readonly file?: string;
  readonly path?: string;
  readonly query?: string;
  /** `null` omits a header, a list sends it more than once. Names are sent as they are written. */
  readonly headers?: Readonly<Record<string, HeaderValue>>;
  /** The bytes as they are; `null` sends none. */
  readonly body?: string | Uint8Array | null;
  /** Sends the body in chunks, without its length. */
  readonly chunked?: boolean;
};

/** The whole response. */
export type Expected = {
  /** '4xx' where the contract leaves the response to the gateway: any rejection with any body. */
  readonly status: number | '4xx';
  /** The body is exactly `{"message": ...}`. */
  readonly message?: string;
  /** The body is the file with these two values. */
  readonly file?: Editable;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body has the same bytes as the response before. */
  readonly sameBytes?: true;
  /** API Gateway itself responds, without the headers of the function. */
  readonly gateway?: true;
};

/** More than one response may be right. */
export type Step = readonly [send: Sent, expect: Expected | readonly Expected[]];

/** One sentence of the contract, and the requests that show it. The file has the values of `before` at first. */
export type Case = { readonly name: string; readonly file?: FileName; readonly steps: readonly Step[] };
export type Group = { readonly title: string; readonly cases: readonly Case[] };

export const before: Editable = { summary: 'Before.', documentKind: 'before' };

/** A case of one request. */
export const one = (name: string, send: Sent, expect: Step[1], file?: FileName): Case => ({
  name,
  steps: [[send, expect]],
  ...(file && { file }),
});

/** A case of one request for each row. `toName` and `toSent` make its name and its request of a row. */
export const each = <Value>(
  rows: readonly (readonly [name: string, value: Value])[],
  toName: (name: string) => string,
  toSent: (value: Value) => Sent,
  expect: Step[1],
): readonly Case[] => rows.map(([name, value]) => one(toName(name), toSent(value), expect));

export const rejected = (status: number, message: string, headers?: Expected['headers']): Expected => ({
  status,
  message,
  ...(headers && { headers }),
});
export const updated = (summary: string | null, documentKind: string | null): Expected => ({
  status: 200,
  file: { summary, documentKind },
});

/** The response to the usual request, which sets this summary. */
export const accepted = updated('Must not be stored.', 'before');
export const keyInvalid = rejected(401, 'Invalid API Key');
export const denied = rejected(403, 'API Key does not have permission to access this resource');
export const spaceNotFound = rejected(404, 'Space not found');
export const fileNotFound = rejected(404, 'File not found');
export const fileChanged = rejected(412, 'File was changed by another request', { etag: '{etag}' });
export const bodyTooLarge = rejected(413, 'Request body is too large');
export const notJsonType = rejected(415, 'Content-Type must be application/json', {
  'accept-patch': 'application/json, application/merge-patch+json',
});
export const encoded = rejected(415, 'Content-Encoding is not supported');
export const invalid = (message: string): Expected => rejected(400, message);
export const unknownField = (field: string) =>
  `Unknown field "${field}"; editable fields are summary, documentKind`;
