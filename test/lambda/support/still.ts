import { expect } from 'vitest';
import * as z from 'zod';
import type { ApiResponse } from '#lib/http/responses.ts';
import { FIRST_VERSION } from '#test/support/given.ts';

const ResponseSchema = z.strictObject({
  statusCode: z.int(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
});

/**
 * Outcomes are written for a clock and ids that stand still; those of the real runtime move. Puts what one request
 * drew from them back, in its answer and then in the record it left.
 */
export const holdStill = () => {
  const startedAt = Date.now();
  let requestId: unknown;
  let version: unknown;
  const isOurs = (candidate: number) =>
    version === undefined
      ? candidate >= startedAt * 1000 && candidate < (Date.now() + 1) * 1000
      : candidate === version;
  return {
    response: (answer: unknown): ApiResponse => {
      const response = ResponseSchema.parse(answer);
      const { 'x-request-id': id, etag, ...headers } = response.headers;
      requestId = z.uuidv4().parse(id);
      if (etag === undefined) return { ...response, headers: { ...headers, 'x-request-id': 'request-1' } };
      const given = Number(etag.slice(1, -1));
      const isNew = isOurs(given);
      if (isNew) version = given;
      return {
        ...response,
        headers: { ...headers, etag: isNew ? `"${FIRST_VERSION}"` : etag, 'x-request-id': 'request-1' },
      };
    },
    record: (item: Record<string, unknown> | undefined) => {
      if (item?.['requestId'] === undefined || requestId === undefined) return item;
      expect(item['requestId']).toBe(requestId);
      expect(item['version']).toSatisfy(isOurs);
      return { ...item, requestId: 'request-1', version: FIRST_VERSION };
    },
  };
};
