import { expect, test, vi } from 'vitest';
import { defaultProvider } from '#lib/runtime/shims/credentials.ts';
import { EventStreamSerde, eventStreamSerdeProvider } from '#lib/runtime/shims/event-streams.ts';
import { readFile } from '#lib/runtime/shims/no-files.ts';

test('reads credentials from the environment, once', async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  vi.stubEnv('AWS_SESSION_TOKEN', 'session');
  const provide = defaultProvider();
  const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret', sessionToken: 'session' };
  expect(await provide()).toMatchObject(credentials);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', undefined);
  expect(await provide()).toMatchObject(credentials);
  await expect(defaultProvider()()).rejects.toThrow('Unable to find environment variable credentials.');
});

test('reads no file', async () => {
  await expect(readFile('.aws/config')).rejects.toMatchObject({ code: 'ENOENT' });
});

test.each([
  [EventStreamSerde, 'event streams are left out of this bundle (docs/decisions/006)'],
  [eventStreamSerdeProvider, 'event streams are left out of this bundle (docs/decisions/006)'],
])('an omitted part throws and names decision 006: %o', (use, message) => {
  expect(use).toThrow(message);
});
