import type { ErrorCode } from '#lib/domain/errors.ts';
import { fieldProblems } from './field-problems.ts';
import { grouped, limits } from './limits.ts';
import type { Occasion } from './occasion.ts';

/**
 * What people are told of each failure besides its status and message: the source of the table in docs/contract.md
 * and of the examples in openapi.yaml. A new code does not compile without its words.
 */
export const answerNotes: Readonly<Record<ErrorCode, readonly Occasion[]>> = {
  'user-id-missing': [{ at: '1a', when: '`x-user-id` is missing or blank' }],
  'user-id-invalid': [{ at: '1b', when: '`x-user-id` is malformed, or sent twice' }],
  'tenant-id-missing': [{ at: '1c', when: '`x-tenant-id` is missing or blank' }],
  'tenant-id-invalid': [{ at: '1d', when: '`x-tenant-id` is malformed, or sent twice' }],
  'api-key-invalid': [{ at: '2a', when: '`x-api-key` is missing, malformed, unknown, revoked or expired' }],
  'permission-denied': [
    {
      at: '3a',
      when: 'the key is of another tenant, its scope is not `PRODUCT`, or no role of it grants `files:update`',
    },
    { at: '5b', name: 'space-is-private', when: 'the space is private and the caller is not its owner' },
  ],
  'content-type-unsupported': [{ at: '4a', when: 'the media type is another, or missing' }],
  'content-encoding-unsupported': [{ at: '4b', when: 'the body is compressed or otherwise encoded' }],
  'body-too-large': [{ at: '4c', when: `the body has more than ${grouped(limits.body)} bytes` }],
  'body-missing': [{ at: '4d', when: 'there is no body' }],
  'body-not-json': [
    { at: '4e', when: 'the body is not UTF-8, begins with a byte order mark, or is not JSON' },
  ],
  'body-not-object': [{ at: '4f', when: 'the body is JSON but not an object' }],
  'patch-invalid': fieldProblems,
  'patch-empty': [{ at: '4h', when: 'the object is empty' }],
  'space-not-found': [{ at: '5a', when: 'the tenant has no such space' }],
  'file-not-found': [{ at: '6a', when: 'the space has no such file' }],
  'if-match-invalid': [{ at: '6b', when: '`If-Match` cannot be read' }],
  'file-changed': [{ at: '6c', when: '`If-Match` does not match', along: 'the current `etag`' }],
  'file-too-large': [{ at: '6d', when: "the stored record would pass DynamoDB's 400 KB" }],
  unavailable: [{ at: '6f', when: "DynamoDB throttles or is away until the request's deadline" }],
  'internal-error': [{ at: '6g', when: 'anything else goes wrong' }],
};

/** The one row that is no failure. */
export const successNote: Occasion = { at: '6e', when: 'all holds' };
