import type { ErrorCode } from '#lib/domain/errors.ts';
import { fields } from '#lib/domain/file.ts';
import { editableFields, FilePatchSchema } from '#lib/domain/file-patch.ts';

/** When a request gets an error, in one sentence for people. */
export type When = {
  readonly code: ErrorCode;
  /** The number of the check (docs/contract.md), if a check determines it. */
  readonly check?: number;
  readonly when: string;
  /** The name of the example in openapi.yaml. Usually the code. */
  readonly example?: string;
  /** A header whose value depends on the request. */
  readonly header?: string;
  /** A body that gets this error, for a code whose message names a field. */
  readonly body?: string;
};

/** tsc names each code that is missing. */
const complete = <const Listed extends readonly When[]>(
  list: Listed & { readonly [Missing in Exclude<ErrorCode, Listed[number]['code']>]: When },
): readonly When[] => list;

/** A field that can be any text, so that each body below gets the error that it stands for. */
const first = editableFields.find((name) => FilePatchSchema.safeParse({ [name]: 'any' }).success) ?? '';
const [readOnly = ''] = Object.keys(fields).filter((name) => !editableFields.includes(name));
const listed = Object.keys(fields).findLast((name) => !editableFields.includes(name)) ?? '';

/** All errors in the order of the checks. Two codes occur at several checks. */
export const errorsByCheck = complete([
  { code: 'user-id-missing', check: 1, when: '`x-user-id` is missing or blank' },
  { code: 'user-id-invalid', check: 1, when: '`x-user-id` is malformed, or sent twice' },
  { code: 'tenant-id-missing', check: 1, when: '`x-tenant-id` is missing or blank' },
  { code: 'tenant-id-invalid', check: 1, when: '`x-tenant-id` is malformed, or sent twice' },
  {
    code: 'api-key-invalid',
    check: 2,
    when: '`x-api-key` is missing, malformed, unknown, revoked or expired',
  },
  {
    code: 'permission-denied',
    check: 3,
    when: 'the key belongs to another tenant, its scope is not `PRODUCT`, or no role of it grants `files:update`',
  },
  { code: 'content-type-unsupported', check: 4, when: 'the media type is missing or is another one' },
  { code: 'content-encoding-unsupported', check: 4, when: 'the body is compressed or otherwise encoded' },
  { code: 'body-too-large', check: 4, when: 'the body has more than {MAX_BODY_BYTES} bytes' },
  { code: 'body-missing', check: 4, when: 'there is no body' },
  {
    code: 'body-not-json',
    check: 4,
    when: 'the body is not UTF-8, begins with a byte order mark, or is not JSON',
  },
  { code: 'body-not-object', check: 4, when: 'the body is JSON, but not an object' },
  {
    code: 'patch-invalid',
    check: 4,
    when: 'the body has a field twice',
    example: 'duplicate-field',
    body: `{"${first}":"a","${first}":"b"}`,
  },
  { code: 'patch-empty', check: 4, when: 'the object is empty' },
  {
    code: 'patch-invalid',
    check: 4,
    when: 'the body has a read-only field of the file',
    example: 'field-not-editable',
    body: `{"${readOnly}":"a"}`,
  },
  {
    code: 'patch-invalid',
    check: 4,
    when: 'the body has another field',
    example: 'field-unknown',
    body: '{"x":1}',
  },
  {
    code: 'patch-invalid',
    check: 4,
    when: 'a value has another type',
    example: 'wrong-type',
    body: `{"${first}":1}`,
  },
  {
    code: 'patch-invalid',
    check: 4,
    when: 'a value is too long',
    example: 'too-long',
    body: JSON.stringify({ [first]: 'x'.repeat(100_000) }),
  },
  {
    code: 'patch-invalid',
    check: 4,
    when: 'a value has a lone surrogate',
    example: 'invalid-unicode',
    body: String.raw`{"${first}":"\ud83d"}`,
  },
  {
    code: 'patch-invalid',
    check: 4,
    when: 'several fields are not valid: at most {MAX_PROBLEMS} problems, in the order of the body',
    example: 'several-problems',
    body: `{"${listed}":[],"${first}":1}`,
  },
  { code: 'space-not-found', check: 5, when: 'the tenant has no such space' },
  {
    code: 'permission-denied',
    check: 5,
    when: 'the space is private, and the user is not its owner',
    example: 'space-is-private',
  },
  { code: 'idempotency-key-invalid', check: 6, when: '`Idempotency-Key` is malformed, or sent twice' },
  { code: 'if-match-invalid', check: 6, when: '`If-Match` is malformed' },
  { code: 'file-not-found', check: 6, when: 'the space has no such file' },
  { code: 'idempotency-key-reused', check: 6, when: 'the key was used for another patch of this file' },
  { code: 'file-changed', check: 6, when: '`If-Match` does not match', header: 'etag' },
  {
    code: 'file-too-large',
    check: 6,
    when: 'the stored item would be larger than the 400 KB of DynamoDB',
  },
  {
    code: 'unavailable',
    when: 'DynamoDB throttles or does not respond until the deadline of the request',
  },
  { code: 'internal-error', when: 'any other error' },
]);
