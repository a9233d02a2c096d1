import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { FileUpdate } from '#lib/client/client.ts';
import { BIG_FILE_ID } from '#test/support/seed.ts';
import { aClient, anUpdate, aView } from './support/given-client.ts';
import { startRunningService } from './support/running-service.ts';

let service: Awaited<ReturnType<typeof startRunningService>>;
beforeEach(async () => {
  service = await startRunningService('client');
});
afterEach(() => service.close());

const update = (change: Partial<FileUpdate> = {}, options: { apiKey?: string; userId?: string } = {}) =>
  aClient({ baseUrl: service.url, ...options }).updateFile({ ...anUpdate, ...change });

test('a string is set, null clears, an absent field is kept', async () => {
  const set = await update({ patch: { summary: 'One.' } });
  const cleared = await update({ patch: { documentKind: null } });
  expect([set, cleared]).toStrictEqual([
    {
      ok: true,
      file: aView({ summary: 'One.' }),
      etag: '"1790000000000000"',
      requestId: 'request-1',
    },
    {
      ok: true,
      file: aView({ summary: 'One.', documentKind: null }),
      etag: '"1790000000000001"',
      requestId: 'request-2',
    },
  ]);
});

test('a file of the basic shape is a file', async () => {
  expect(
    await update({ fileId: 'a71d0c52-8f3e-4b69-b2d4-5c6e7f809112', patch: { summary: '' } }),
  ).toMatchObject({
    ok: true,
    file: {
      id: 'a71d0c52-8f3e-4b69-b2d4-5c6e7f809112',
      summary: '',
      language: 'de',
      documentKind: 'contact list',
      domain: 'hr',
      tags: [],
    },
  });
});

test('the etag of one answer is the If-Match of the next', async () => {
  const first = await update();
  const ifMatch = first.ok ? first.etag : 'none';
  expect(await update({ ifMatch, patch: { summary: 'Newer.' } })).toMatchObject({
    ok: true,
    file: aView({ summary: 'Newer.' }),
    etag: '"1790000000000001"',
  });
});

test('ids are any text: they reach the service as they are', async () => {
  const ids = { spaceId: 'a/b?c#d%2e', fileId: '…/é 😀&.' };
  await service.tables.putSpace({ tenantId: 'acme', ownerId: 'ada', visibility: 'public', ...ids });
  await service.tables.putFile({ ...ids, language: 'en', domain: 'hr' });
  expect(await update({ ...ids, patch: { documentKind: 'note' } })).toMatchObject({
    ok: true,
    file: { id: '…/é 😀&.', summary: null, language: 'en', documentKind: 'note', domain: 'hr', tags: [] },
  });
});

const refusals: [string, { change?: Partial<FileUpdate>; options?: Parameters<typeof update>[1] }, object][] =
  [
    [
      'invalid-request',
      { change: { patch: { documentKind: 'x'.repeat(257) } } },
      { status: 400, message: 'documentKind must be at most 256 characters' },
    ],
    ['invalid-request', { change: { ifMatch: 'x' } }, { status: 400, message: 'If-Match is invalid' }],
    ['invalid-request', { options: { userId: 'a,b' } }, { status: 400, message: 'x-user-id is invalid' }],
    ['invalid-api-key', { options: { apiKey: 'unknown' } }, { status: 401, message: 'Invalid API Key' }],
    [
      'permission-denied',
      { options: { apiKey: 'demo-viewer-key' } },
      { status: 403, message: 'API Key does not have permission to access this resource' },
    ],
    ['space-not-found', { change: { spaceId: 'none' } }, { status: 404, message: 'Space not found' }],
    ['file-not-found', { change: { fileId: 'none' } }, { status: 404, message: 'File not found' }],
    [
      'file-changed',
      { change: { ifMatch: '"1"' } },
      { status: 412, message: 'File was changed by another request', etag: '"0"' },
    ],
    [
      'too-large',
      { change: { fileId: BIG_FILE_ID, patch: { summary: 'x'.repeat(10_000) } } },
      { status: 413, message: 'File metadata is too large' },
    ],
  ];

describe('a refusal of the service is a value', () => {
  test.each(refusals)('%s', async (code, { change, options }, answer) => {
    expect(await update(change, options)).toStrictEqual({
      ok: false,
      error: {
        code,
        requestId: 'request-1',
        retryable: false,
        mayBeApplied: false,
        ...answer,
      },
    });
  });
});
