import { expect } from 'vitest';
import * as z from 'zod';
import { BasicSchema, DetailedSchema } from './file-shapes.ts';

/*
 * The contract as a strict schema, written from docs/contract.md and not from the code: no status, message, header or
 * field that it does not name may ever leave. Every response of every suite goes through it.
 */

const base = {
  'content-type': z.literal('application/json'),
  'cache-control': z.literal('no-store'),
  'x-content-type-options': z.literal('nosniff'),
  'x-request-id': z.string().min(1),
};
const etag = z.string().regex(/^"\d{1,16}"$/);
const plain = z.strictObject(base);

const field = String.raw`(?:Field "(?:id|originalName|language|domain|chunksCount|charactersCount|tags)" is not editable|Unknown field "[\s\S]{0,128}"; editable fields are summary, documentKind|(?:summary|documentKind) must be a string or null|summary must be at most 10000 characters|documentKind must be at most 256 characters|(?:summary|documentKind) contains invalid Unicode)`;
const fieldProblems = new RegExp(`^${field}(?:; ${field}){0,9}$`);

const error = (status: number, messages: readonly (string | RegExp)[], headers: z.ZodType = plain) =>
  z.strictObject({
    statusCode: z.literal(status),
    headers,
    body: z.strictObject({
      message: z
        .string()
        .refine((text) => messages.some((m) => (typeof m === 'string' ? m === text : m.test(text)))),
    }),
  });

const Contract = z.union([
  z.strictObject({
    statusCode: z.literal(200),
    headers: z.strictObject({ ...base, etag }),
    body: z.union([DetailedSchema, BasicSchema]),
  }),
  error(400, [
    'x-user-id is required',
    'x-user-id is invalid',
    'x-tenant-id is required',
    'x-tenant-id is invalid',
    'Request body is required',
    'Request body is not valid JSON',
    'Request body must be a JSON object',
    'At least one of summary, documentKind must be provided',
    'If-Match is invalid',
    /^Duplicate field "[\s\S]{0,128}"$/,
    fieldProblems,
  ]),
  error(401, ['Invalid API Key']),
  error(403, ['API Key does not have permission to access this resource']),
  error(404, ['Space not found', 'File not found']),
  error(412, ['File was changed by another request'], z.strictObject({ ...base, etag })),
  error(413, ['Request body is too large', 'File metadata is too large']),
  error(415, ['Content-Encoding is not supported']),
  error(
    415,
    ['Content-Type must be application/json'],
    z.strictObject({ ...base, 'accept-patch': z.literal('application/json, application/merge-patch+json') }),
  ),
  error(500, ['Internal Server Error']),
  error(
    503,
    ['Service Unavailable'],
    z.strictObject({ ...base, 'retry-after': z.string().regex(/^[1-9]\d*$/) }),
  ),
]);

type Response = {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly body: string;
};

/** Fails the test that got a response outside the contract; gives the response back. */
export const expectContract = <Given extends Response>(response: Given): Given => {
  const parsed = Contract.safeParse({ ...response, body: JSON.parse(response.body) });
  if (!parsed.success) expect.unreachable(`outside the contract: ${JSON.stringify(response)}`);
  return response;
};
