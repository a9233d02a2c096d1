import { expect, test } from 'vitest';
import * as times from '#lib/times.ts';
import { readServerlessConfig } from '#tools/serverless-config.ts';

test('the times of a request fit into each other, and into the timeout of the function', () => {
  const [{ limits } = expect.unreachable()] = readServerlessConfig().functions;
  expect(times.CONNECTION_TIMEOUT_MS).toBeLessThan(times.ATTEMPT_TIMEOUT_MS);
  // An open connection needs less.
  expect(times.MIN_ATTEMPT_MS).toBeLessThan(times.CONNECTION_TIMEOUT_MS);
  // Two attempts that hang leave time for a third.
  expect(3 * times.ATTEMPT_TIMEOUT_MS).toBeLessThan(times.MAX_REQUEST_MS - times.GRACE_MS);
  expect(times.MAX_REQUEST_MS).toBeLessThan(limits.timeout * 1000 - times.RESERVED_MS);
  expect(times.ATTEMPT_TIMEOUT_MS).toBeLessThanOrEqual(times.PRIME_TIMEOUT_MS - times.GRACE_MS);
  // Lambda's limit of an init.
  expect(times.PRIME_TIMEOUT_MS).toBeLessThan(10_000);
});
