import { errors } from '#test/support/responses.ts';

/** The files that cases update: each shape of docs/contract.md, and a file in a private space. */
export type FileName = 'detailed' | 'basic' | 'private';

type Text = string | null;
/** The values of the two editable fields. */
export type Editable = { readonly summary: Text; readonly documentKind: Text };

/** How a request differs from a valid update of the file. */
export type Sent = {
  readonly method?: string;
  /** The path segments as they are sent; `path` replaces the whole path below the base URL. */
  readonly space?: string;
  readonly file?: string;
  readonly path?: string;
  readonly query?: string;
  /**
   * `null` omits a header, a list sends it more than once. Names are sent as they are written. `{etag}` and `{stale}`
   * are the current and the previous etag of the file.
   */
  readonly headers?: Readonly<Record<string, Text | readonly string[]>>;
  /** The bytes as they are; `null` sends none. */
  readonly body?: Text | Uint8Array;
  /** Sends the body in chunks, without its length. */
  readonly chunked?: boolean;
};

/** The whole response. */
export type Expected = {
  /** '4xx' where the contract leaves the response to the gateway: any rejection with any body. */
  readonly status: number | '4xx';
  /** The header `x-error-code`. */
  readonly code?: string | undefined;
  /** The body is exactly `{"message": ...}`. */
  readonly message?: string;
  /** The body is the file with these two values. */
  readonly file?: Editable;
  readonly acceptPatch?: string;
  /** The request took effect before, and is not written again. */
  readonly replayed?: true;
  /** API Gateway itself responds, without the headers of the function. */
  readonly gateway?: true;
};
export type Step = readonly [send: Sent, expect: Expected];

/** One sentence of the contract, and the requests that show it. At first, the file has the values of `before`. */
export type Case = { readonly name: string; readonly steps: readonly Step[]; readonly file: FileName };

export const before: Editable = { summary: 'Before.', documentKind: 'before' };

export const many = (name: string, steps: readonly Step[], file: FileName = 'detailed'): Case => ({
  name,
  steps,
  file,
});

/** A case for each name and request, all with the same response. */
export const cases = (
  expect: Expected,
  requests: Readonly<Record<string, Sent>>,
  file?: FileName,
): readonly Case[] => Object.entries(requests).map(([name, sent]) => many(name, [[sent, expect]], file));

/** A case for each name and value of one part of the request. */
const casesOf =
  <Value>(toSent: (value: Value) => Sent) =>
  (expect: Expected, values: Readonly<Record<string, Value>>): readonly Case[] =>
    Object.entries(values).flatMap(([name, value]) => cases(expect, { [name]: toSent(value) }));
export const bodyCases = casesOf((body: NonNullable<Sent['body']>) => ({ body }));
export const headerCases = (header: string) =>
  casesOf((value: Text | readonly string[]) => ({ headers: { [header]: value } }));

/** Values by the names that `toName` makes of them. */
export const named = (toName: (value: string) => string, values: readonly string[]): Record<string, string> =>
  Object.fromEntries(values.map((value) => [toName(value), value]));

/** An error of the service, with its code. */
const rejected = (status: number, message: string): Expected => {
  const row = Object.entries(errors).find(([, one]) => one.status === status && one.message === message);
  return { status, message, code: row?.[0] ?? 'patch-invalid' };
};
const updated = (summary: Text, documentKind: Text): Expected => ({
  status: 200,
  file: { summary, documentKind },
});

/** The responses of docs/contract.md. */
export const expected = {
  updated,
  /** The response to the usual request, which sets this summary. */
  accepted: updated('Must not be stored.', 'before'),
  invalid: (message: string) => rejected(400, message),
  unknownKey: rejected(401, 'Invalid API Key'),
  denied: rejected(403, 'API Key does not have permission to access this resource'),
  /** The file as it stands, for a request that took effect before. */
  replayed: (summary: Text, documentKind: Text): Expected => ({
    ...updated(summary, documentKind),
    replayed: true,
  }),
  reused: rejected(422, 'Idempotency-Key was used for another request'),
  noSpace: rejected(404, 'Space not found'),
  noFile: rejected(404, 'File not found'),
  changed: rejected(412, 'File was changed by another request'),
  bodyTooLarge: rejected(413, 'Request body is too large'),
  encoded: rejected(415, 'Content-Encoding is not supported'),
  notJsonType: {
    ...rejected(415, 'Content-Type must be application/json'),
    acceptPatch: 'application/json, application/merge-patch+json',
  },
  /** Not PATCH, or not the path: the contract leaves the response to the gateway. */
  byGateway: { status: '4xx', gateway: true },
  gateway: (status: number, message: string): Expected => ({ status, message, gateway: true }),
} as const;
