import type { ErrorCode } from '#lib/domain/errors.ts';
import { editableFields } from '#lib/domain/file-patch.ts';
import { errorResponses } from '#lib/http/responses.ts';
import { read } from './pages.ts';

const standardHeaders = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
};

/** A whole response with the headers that every response carries. */
export const aResponse = (
  statusCode: number,
  body: unknown,
  headers: Record<string, string> = {},
  requestId = 'request-1',
) => ({
  statusCode,
  headers: { ...standardHeaders, ...headers, 'x-request-id': requestId },
  body: JSON.stringify(body),
});

/** What the log says: the only reason of a code, or the one that most cases have. */
const reasons: Partial<Record<ErrorCode, string>> = {
  'user-id-missing': 'header is missing or blank',
  'user-id-invalid': 'header is malformed',
  'tenant-id-missing': 'header is missing or blank',
  'tenant-id-invalid': 'header is malformed',
  'content-type-unsupported': 'Content-Type is not JSON in UTF-8',
  'content-encoding-unsupported': 'body is encoded',
  'body-missing': 'no body',
  'body-not-json': 'body is not JSON',
  'body-not-object': 'body is JSON but no object',
  'patch-empty': 'body names no field',
  'patch-invalid': 'fields do not fit',
  'space-not-found': 'tenant has no such space',
  'file-not-found': 'space has no such file',
  'idempotency-key-invalid': 'header is malformed',
  'if-match-invalid': 'header is malformed',
  'idempotency-key-reused': 'key was used with another body',
  'file-changed': 'If-Match does not match',
  'file-too-large': 'item would exceed 400 KB',
};
/** The headers that docs/contract.md names beside a message. */
const headers: Readonly<Record<string, string>> = {
  'www-authenticate': 'ApiKey realm="space-files"',
  'accept-patch': 'application/json, application/merge-patch+json',
  'accept-encoding': 'identity',
  etag: '"0"',
  'retry-after': '1',
};

type ErrorRow = {
  readonly status: number;
  readonly message: string;
  readonly reason?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
};
/** Messages that are not those of the page: one names the field, and one all fields, which -u writes. */
const messages: Partial<Record<ErrorCode, string>> = {
  'patch-invalid': '',
  'patch-empty': `At least one of ${editableFields.join(', ')} must be provided`,
};
const isCode = (code: string): code is ErrorCode => code in errorResponses;
/** The response to each error code, as docs/contract.md promises it: `| code | when | status | message, with headers |`. */
const rows = [
  ...read('docs/contract.md').matchAll(/^\| `([a-z-]+)` \|.*\| (\d{3}) \| `(.+?)`(?:, with (.*))? \|$/gm),
].flatMap(([, code = '', status, message = '', named = '']): [ErrorCode, ErrorRow][] => {
  if (!isCode(code)) return [];
  const own = [...named.matchAll(/`([\w-]+)`/g)].map(([, name = '']) => [name, headers[name] ?? '']);
  const row = {
    status: Number(status),
    reason: reasons[code],
    ...(own.length > 0 && { headers: Object.fromEntries(own) }),
  };
  return [[code, { ...row, message: messages[code] ?? message }]];
});
export const errors = Object.fromEntries(rows) as Readonly<Record<ErrorCode, ErrorRow>>;
