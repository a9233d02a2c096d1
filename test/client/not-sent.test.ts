import { expect, test } from 'vitest';
import type { FileUpdate } from '#lib/client/client.ts';
import { aClient, anUpdate } from './support/given-client.ts';

/** A fetch that must not be called. */
const fetch = () => expect.unreachable('sent');
const baseUrl = 'http://localhost';

const notSent = (message: string) => ({
  ok: false,
  error: {
    code: 'not-sent',
    status: undefined,
    requestId: undefined,
    message,
    retryable: false,
    mayBeApplied: false,
  },
});

const ids: [Partial<FileUpdate>, string][] = [
  [{ spaceId: '' }, 'spaceId cannot stand in a URL'],
  [{ spaceId: '.' }, 'spaceId cannot stand in a URL'],
  [{ fileId: '..' }, 'fileId cannot stand in a URL'],
  [{ fileId: 'a\ud800' }, 'fileId cannot stand in a URL'],
  [{ ifMatch: '"1"\r\nx: y' }, 'if-match must be printable ASCII, without spaces around it'],
];
test.each(ids)('an update with %j is not sent', async (change, message) => {
  expect(await aClient({ baseUrl, fetch }).updateFile({ ...anUpdate, ...change })).toStrictEqual(
    notSent(message),
  );
});

test.each([
  [{ apiKey: 'secret\n' }, 'x-api-key'],
  [{ apiKey: '' }, 'x-api-key'],
  [{ tenantId: ' acme' }, 'x-tenant-id'],
  [{ tenantId: 'acme ' }, 'x-tenant-id'],
  [{ userId: 'zoë' }, 'x-user-id'],
])('a caller with %j is not sent, and the message holds no value', async (caller, name) => {
  expect(await aClient({ baseUrl, fetch, ...caller }).updateFile(anUpdate)).toStrictEqual(
    notSent(`${name} must be printable ASCII, without spaces around it`),
  );
});

test('what its type forbids is not sent either', async () => {
  const client = aClient({ baseUrl, fetch });
  // @ts-expect-error an id is text
  expect(await client.updateFile({ ...anUpdate, fileId: 1 })).toStrictEqual(
    notSent('fileId cannot stand in a URL'),
  );
  // @ts-expect-error undefined is neither null nor absent
  const patch: FileUpdate['patch'] = { summary: undefined, documentKind: 'note' };
  expect(await client.updateFile({ ...anUpdate, patch })).toStrictEqual(
    notSent('summary is undefined: leave it out to keep it, or send null to clear it'),
  );
  // @ts-expect-error a key is text, which a variable of the environment may not be
  const { updateFile } = aClient({ baseUrl, fetch, apiKey: undefined });
  expect(await updateFile(anUpdate)).toStrictEqual(
    notSent('x-api-key must be printable ASCII, without spaces around it'),
  );
});

test('a base URL that is none is thrown back at once', () => {
  expect(() => aClient({ baseUrl: 'files.example.com' })).toThrow(TypeError);
});
