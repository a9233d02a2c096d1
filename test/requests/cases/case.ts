import type { ErrorCode } from '#lib/domain/errors.ts';
import type { FileView } from '#lib/domain/file.ts';
import type { FilePatch } from '#lib/domain/file-patch.ts';
import type { Fault } from '#test/support/message-faults.ts';
import { errors } from '#test/support/responses.ts';

/*
 * A case is a row in a file of this folder. A row says what differs from the usual request, which is a valid update of a
 * file (request.ts), and what the service does then. For example:
 *
 *     ...headerCases('content-type')(rejected('content-type-unsupported'), {
 *       'A form is rejected': 'application/x-www-form-urlencoded',
 *     }),
 *
 * It sends the usual request with this Content-Type. It expects the whole response that docs/contract.md has for the error
 * code, its reason in the log, and that no record has changed. A row with `aCase` has a list of requests, each with what is
 * expected. The error of a case that fails shows its row and what was sent (../steps.ts).
 */

/** The files that cases update: each shape of docs/contract.md, and a file in a private space. */
export type FileName = 'detailed' | 'basic' | 'private';

/** How a request travels: to a URL, or as the event of a REST API (format 1.0) or of an HTTP API (format 2.0). */
export type Way = 'url' | '1.0' | '2.0';

type Text = string | null;
/** Values of editable fields. Those that it does not name are as before. */
type Editable = Readonly<Partial<Pick<FileView, keyof FilePatch>>>;
/** A stored record. */
export type Stored = Readonly<Record<string, unknown>>;

/** How a request differs from a valid update of the file. */
export type Sent = {
  /** The path segments as they are sent, with percent encoding. */
  readonly space?: string;
  readonly file?: string;
  /**
   * `null` omits a header, a list sends it more than once. Names are sent as they are written. `{etag}` and `{stale}`
   * are the current and the previous etag of the file, and `{version}` is the current one without its quotes.
   */
  readonly headers?: Readonly<Record<string, Text | readonly string[]>>;
  /** A text, or bytes as they are; `null` sends none. */
  readonly body?: Text | Uint8Array;

  /** Only to a URL. `path` replaces the whole path below the base URL; `chunked` sends the body without its length. */
  readonly method?: string;
  readonly path?: string;
  readonly query?: string;
  readonly chunked?: boolean;

  /** Only as an event: members of the event in place of the usual ones, without those that are undefined. */
  readonly members?: Readonly<Record<string, unknown>>;
  /** Only as an event: any value in place of the event. */
  readonly event?: unknown;
  /** Only as an event: the milliseconds that Lambda has left. Usually enough. */
  readonly remainingMs?: number;
  /** Only as an event: the faults that the calls to DynamoDB meet. A list is for the first ones, in turn. */
  readonly network?: { readonly [kind in 'read' | 'write']?: Fault | readonly Fault[] };
  /** Only as an event: what another service writes into the file, before the first write that meets no fault. */
  readonly meanwhile?: Stored;
};

/** The whole response, and what else a request leaves. */
export type Expected = {
  /** '4xx' where the contract leaves the response to the gateway: any rejection with any body. */
  readonly status: number | '4xx';
  /** Determines the header `x-error-code`, and the other headers of this error. */
  readonly code?: ErrorCode;
  /** The body is exactly `{"message": ...}`. Absent in a response of API Gateway: any body. */
  readonly message?: string;
  /** The body is the file with these values. */
  readonly file?: Editable;
  /** The request took effect before, and is not written again. */
  readonly replayed?: true;
  /** API Gateway itself responds, without the headers of the function. */
  readonly gateway?: true;
  /** Only to a URL: a response with another status that is right too, because the two APIs of API Gateway differ. */
  readonly or?: Expected;

  /** The reason in the log line. */
  readonly reason?: string;
  /** What else the log line has, or has another value of. What is undefined here is not in the line. */
  readonly log?: Stored;
  /** Fields that the request has changed although its response is an error, or says that it took effect before. */
  readonly written?: Stored;
  /**
   * What the file remembers of a request with an Idempotency-Key, the hashes of the key and of the patch, as a regular
   * expression. Absent: the id of the request.
   */
  readonly mark?: string;
};
export type Step = readonly [send: Sent, expect: Expected];

/** One sentence of the contract, and the requests that show it. At first, the file has the values of `before`. */
export type Case = {
  readonly name: string;
  readonly steps: readonly Step[];
  readonly file: FileName;
  /** The only way that the requests can travel, if they cannot travel each. */
  readonly only?: Way | 'event';
  /** Only as an event: the stored file, in place of `file`. */
  readonly stored?: Stored;
  /** Made where the row stands. Its stack leads there if the case fails. */
  readonly row: Error;
};

/** The fields that a patch can set to any text, with its limit. */
export const textFields = { summary: 10_000, documentKind: 256 } as const;

/** A file before the first request. */
export const before = { summary: 'Before.', documentKind: 'before' };

type More = Partial<Omit<Case, 'name' | 'steps' | 'row'>>;
export const aCase = (name: string, steps: readonly Step[], more: More = {}): Case => ({
  name,
  steps,
  file: 'detailed',
  row: new Error(name),
  ...more,
});

/** A case for each name and request, all with the same response. */
export const cases = (
  expect: Expected,
  requests: Readonly<Record<string, Sent>>,
  more?: More,
): readonly Case[] => Object.entries(requests).map(([name, sent]) => aCase(name, [[sent, expect]], more));
/** The same for requests that can travel only one way. */
export const casesOnly =
  (only: NonNullable<Case['only']>) =>
  (expect: Expected, requests: Readonly<Record<string, Sent>>): readonly Case[] =>
    cases(expect, requests, { only });

/** A case for each name and value of one part of the request. */
const casesOf =
  <Value>(toSent: (value: Value) => Sent) =>
  (expect: Expected, values: Readonly<Record<string, Value>>, more?: More): readonly Case[] =>
    Object.entries(values).map(([name, value]) => aCase(name, [[toSent(value), expect]], more));
export const bodyCases = casesOf((body: NonNullable<Sent['body']>) => ({ body }));
export const headerCases = (header: string) =>
  casesOf((value: Text | readonly string[]) => ({ headers: { [header]: value } }));

/** Values by the names that `toName` makes of them. */
export const named = (toName: (value: string) => string, values: readonly string[]): Record<string, string> =>
  Object.fromEntries(values.map((value) => [toName(value), value]));

/** What the log does not have of a request whose ids are rejected: that id, and the key, which is read after both ids. */
const withoutIds: { readonly [code in ErrorCode]?: Stored } = {
  'user-id-missing': { userId: undefined, keyId: undefined },
  'user-id-invalid': { userId: undefined, keyId: undefined },
  'tenant-id-missing': { tenantId: undefined, keyId: undefined },
  'tenant-id-invalid': { tenantId: undefined, keyId: undefined },
};
/** An error of the service. */
export const rejected = (code: ErrorCode, reason = errors[code].reason ?? ''): Expected => ({
  status: errors[code].status,
  code,
  message: errors[code].message,
  reason,
  ...(withoutIds[code] && { log: withoutIds[code] }),
});
/** A body with fields that do not fit. */
export const invalid = (message: string): Expected => ({ ...rejected('patch-invalid'), message });
/** A case whose body has fields that do not fit. */
export const invalidBody = (name: string, body: string, message: string): Case =>
  aCase(name, [[{ body }, invalid(message)]]);
export const duplicate = (field: string): Expected => ({
  ...rejected('patch-invalid', 'a field is sent twice'),
  message: `Duplicate field "${field}"`,
});

export const updated = (summary: Text, documentKind: Text): Expected => ({
  status: 200,
  file: { summary, documentKind },
});
/** The response to the usual request, which sets this summary. */
export const accepted = updated('Must not be stored.', 'before');
/** The file as it stands, for a request that took effect before. */
export const replayed = (summary: Text, documentKind: Text): Expected => ({
  ...updated(summary, documentKind),
  replayed: true,
});

/** Not PATCH, or not the path: the contract leaves the response to the gateway. */
export const byGateway: Expected = { status: '4xx', gateway: true };
export const gateway = (status: number, message?: string): Expected => ({
  status,
  gateway: true,
  ...(message !== undefined && { message }),
});
/** A response behind an HTTP API, and the one behind a REST API, which has another status. */
export const byApi = (httpApi: Expected, restApi: Expected): Expected => ({ ...httpApi, or: restApi });
/** What each API responds to a path or method that it does not have. */
export const noRoute = {
  httpApi: gateway(404, 'Not Found'),
  restApi: gateway(403, 'Missing Authentication Token'),
};

/** The usual request of a case. */
export const usualBody = '{"summary":"Must not be stored."}';

/** What is known of a file when a request about it is sent. */
type Known = { readonly view: object; readonly etag: string };
/**
 * The response to a request: its status, its headers without `x-request-id`, and its body, as text if it is an error.
 *
 * @param nextEtag that of the file if the request writes it
 */
export const responseTo = (
  { status, code, message, file, replayed: isReplayed, written }: Expected,
  known: Known,
  nextEtag: unknown,
) => {
  const headers = {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  };
  if (file === undefined)
    return {
      status,
      headers: {
        ...headers,
        ...(code && { 'x-error-code': code, ...errors[code].headers }),
        ...(code && 'etag' in (errors[code].headers ?? {}) && { etag: known.etag }),
      },
      body: JSON.stringify({ message }),
    };
  return {
    status,
    headers: {
      ...headers,
      etag: isReplayed && !written ? known.etag : nextEtag,
      ...(isReplayed && { 'idempotency-replayed': 'true' }),
    },
    body: { ...known.view, ...file },
  };
};
