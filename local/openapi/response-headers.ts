import { answers } from '#lib/http/responses.ts';
import { example } from './examples.ts';

/** The response headers by the name of their component. */
export const componentHeaders = {
  RequestId: {
    description: 'Identifies this request in the log: name it when you report a problem.',
    required: true,
    schema: { type: 'string', minLength: 1 },
    example: example.requestId,
  },
  CacheControl: {
    description: 'No answer may be kept.',
    required: true,
    schema: { type: 'string', const: 'no-store' },
  },
  ContentTypeOptions: {
    description: 'The media type is the one that is stated.',
    required: true,
    schema: { type: 'string', const: 'nosniff' },
  },
  Etag: {
    description:
      'The strong tag of the file as it is stored now: send it as `If-Match`. A file that this operation never ' +
      'wrote has the tag `"0"`.',
    required: true,
    schema: { type: 'string', pattern: '^"(?:0|[1-9][0-9]{0,15})"$' },
    example: example.etag,
  },
  AcceptPatch: {
    description: 'The media types that are accepted (RFC 5789); with the message about `Content-Type` only.',
    schema: { type: 'string', const: answers['content-type-unsupported'].headers?.['accept-patch'] },
  },
  RetryAfter: {
    description: 'Seconds to wait before the request is sent again, with a random part on top.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
    example: Number(answers.unavailable.headers?.['retry-after']),
  },
};

const headerRef = (name: keyof typeof componentHeaders) => ({ $ref: `#/components/headers/${name}` });

const onEvery = {
  'x-request-id': headerRef('RequestId'),
  'cache-control': headerRef('CacheControl'),
  'x-content-type-options': headerRef('ContentTypeOptions'),
};

const more: Readonly<Record<number, object>> = {
  200: { etag: headerRef('Etag') },
  412: { etag: headerRef('Etag') },
  415: { 'accept-patch': headerRef('AcceptPatch') },
  503: { 'retry-after': headerRef('RetryAfter') },
};

/** The headers of the function's answers with this status. */
export const headersOf = (status: number): object => ({ ...onEvery, ...more[status] });
