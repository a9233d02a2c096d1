import { expect, test } from 'vitest';
import { clientOptions, createClient } from '#lib/store/client.ts';

test('the client makes one attempt, with a limit on connecting and on the whole', async () => {
  expect(clientOptions).toEqual({
    maxAttempts: 1,
    requestHandler: { connectionTimeout: 300, requestTimeout: 700, throwOnRequestTimeout: true },
  });
  expect(await createClient().config.maxAttempts()).toBe(1);
});
