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

/** Messages that are not those of the page: one names the field, and one all fields, which -u writes. */
const messages: Partial<Record<ErrorCode, string>> = {
  'patch-invalid': '',
  'patch-empty': `At least one of ${editableFields.join(', ')} must be provided`,
};
const page = 'docs/contract.md';
const text = read(page);
/** A row of the page: `| code | when | status | message, with headers |`. */
const promised = (code: ErrorCode) => {
  const row = new RegExp(`^\\| \`${code}\` \\|.*\\| (\\d{3}) \\| \`(.+?)\`(?:, with (.*))? \\|$`, 'm').exec(
    text,
  );
  if (!row) throw new Error(`${page}, Responses, has no row of \`${code}\` with its status and message`);
  const [, status, message = '', named = ''] = row;
  const own = [...named.matchAll(/`([\w-]+)`/g)].map(([, name = '']) => [name, headers[name] ?? '']);
  return {
    status: Number(status),
    message: messages[code] ?? message,
    reason: reasons[code],
    headers: Object.fromEntries(own) as Readonly<Record<string, string>>,
  };
};
const codes = Object.keys(errorResponses) as ErrorCode[];
/** The response to each error code, as docs/contract.md promises it. `-u` writes none of it (test/documents/facts.test.ts). */
export const errors = Object.fromEntries(codes.map((code) => [code, promised(code)])) as Readonly<
  Record<ErrorCode, ReturnType<typeof promised>>
>;
