import { getEventListeners } from 'node:events';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type ClientOptions, createClient, type FileUpdate } from '#client/client.ts';
import { BIG_FILE_ID } from '#test/support/seed.ts';
import { aClient, anUpdate, aView, respond, type Turn, turns, useService } from './fixture.ts';

const { start, update, tables } = useService('client');
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const FIRST = { etag: '"1790000000000000"', requestId: 'request-1' };
const SECOND = { etag: '"1790000000000001"', requestId: 'request-2' };
const updated = (write: typeof FIRST, view = {}) => ({ ok: true, file: aView(view), ...write });
/** The whole error, with the values of most errors by default. */
const failed = (code: string, status: number | undefined, message: string, more: object = {}) => ({
  ok: false,
  error: { code, status, message, requestId: undefined, retryable: false, mayBeApplied: false, ...more },
});
const retryable = (mayBeApplied: boolean, retryAfterMs = 0) => ({
  retryable: true,
  mayBeApplied,
  retryAfterMs,
});
const message = (text: string) => JSON.stringify({ message: text });
const busy = respond(503, message('Service Unavailable'), { 'retry-after': '1', 'x-request-id': 'r' });
const later = (date: string) => respond(503, '', { 'retry-after': `Mon, 21 Sep 2026 ${date} GMT` });

describe('an update', () => {
  test('sets, clears and keeps fields, and its etag is the If-Match of the next', async () => {
    const { url } = await start();
    const { updateFile } = aClient({ baseUrl: url });
    const first = await updateFile({ ...anUpdate, patch: { summary: 'One.' } });
    expect(first).toStrictEqual(updated(FIRST, { summary: 'One.' }));
    const next = { ...anUpdate, patch: { documentKind: null }, ifMatch: FIRST.etag };
    expect(await updateFile(next)).toStrictEqual(updated(SECOND, { summary: 'One.', documentKind: null }));
  });

  test('accepts the basic shape, and ids of any text', async () => {
    const ids = { spaceId: 'a/b?c#d%2e', fileId: '…/é 😀&.' };
    await tables().putSpace({ tenantId: 'acme', ownerId: 'ada', visibility: 'public', ...ids });
    await tables().putFile({ ...ids, language: 'en', domain: 'hr' });
    const { result } = await update([], { ...ids, patch: { documentKind: 'note' } });
    const file = {
      id: '…/é 😀&.',
      summary: null,
      language: 'en',
      documentKind: 'note',
      domain: 'hr',
      tags: [],
    };
    expect(result).toStrictEqual({ ok: true, file, ...FIRST });
  });

  const denied = 'API Key does not have permission to access this resource';
  const changed = 'File was changed by another request';
  const tooLarge = { fileId: BIG_FILE_ID, patch: { summary: 'x'.repeat(10_000) } };
  test.each<[string, status: number, message: string, Partial<FileUpdate & ClientOptions>, more?: object]>([
    ['invalid-request', 400, 'If-Match is invalid', { ifMatch: 'x' }],
    ['invalid-request', 400, 'x-user-id is invalid', { userId: 'a,b' }],
    ['invalid-api-key', 401, 'Invalid API Key', { apiKey: 'unknown' }],
    ['permission-denied', 403, denied, { apiKey: 'demo-viewer-key' }],
    ['space-not-found', 404, 'Space not found', { spaceId: 'none' }],
    ['file-not-found', 404, 'File not found', { fileId: 'none' }],
    ['file-changed', 412, changed, { ifMatch: '"1"' }, { etag: '"0"' }],
    ['too-large', 413, 'File metadata is too large', tooLarge],
  ])('resolves to the error %s of the service: %i %s', async (code, status, text, change, more) => {
    const { result } = await update([], change, change);
    expect(result).toStrictEqual(failed(code, status, text, { requestId: 'request-1', ...more }));
  });
});

describe('a retry', () => {
  test.each<[string, Turn, typeof FIRST, wait: number]>([
    ['503 with retry-after', busy, FIRST, 1100],
    ['429 with retry-after', respond(429, message('Too Many Requests'), { 'retry-after': '2' }), FIRST, 2100],
    ['429 of a gateway', respond(429, 'slow down'), FIRST, 100],
    ['503 until a date', later('14:13:25'), FIRST, 5100],
    ['503 until a past date', later('14:13:15'), FIRST, 100],
    ['500', respond(500, message('Internal Server Error')), FIRST, 100],
    ['502 of a gateway', respond(502, '<h1>Bad Gateway</h1>'), FIRST, 100],
    ['a connection lost before the write', turns.lostBefore, FIRST, 100],
    ['a connection lost after the write', turns.lostAfter, SECOND, 100],
    ['a response that is cut off', turns.cutOff, SECOND, 100],
  ])('follows %s', async (_, fault, write, wait) => {
    expect(await update([fault])).toStrictEqual({ result: updated(write), waits: [wait], attempts: 2 });
  });

  test('is the same request', async () => {
    const { url, seen } = await start(busy);
    await aClient({ baseUrl: `${url}/stage/` }).updateFile({ ...anUpdate, ifMatch: '"0"' });
    const caller = { 'x-api-key': 'demo-editor-key', 'x-tenant-id': 'acme', 'x-user-id': 'grace' };
    expect(seen[0]).toMatchObject({
      method: 'PATCH',
      path: '/stage/v1/spaces/handbook/files/3f2b8c1e-6a4d-4c57-9e0f-1b7a2d9c5e80',
      headers: { 'content-type': 'application/json', ...caller, 'if-match': '"0"' },
      body: '{"summary":"New."}',
    });
    expect(seen[1]).toStrictEqual(seen[0]);
  });

  const lost = (errorName: string) =>
    failed('network', undefined, 'The connection was lost, or there was no response in time', {
      ...{ retryable: true, mayBeApplied: true, cause: expect.objectContaining({ name: errorName }) },
    });
  const unavailable = failed('unavailable', 503, 'Service Unavailable', {
    ...retryable(true, 1000),
    requestId: 'r',
  });
  const throttled = failed('throttled', 429, 'HTTP status 429', retryable(false, 21_000));
  const html = (status: number) => [respond(status, '<h1>')];
  const gateway = (status: number, code: string) =>
    failed(code, status, `HTTP status ${status}`, retryable(status !== 429));
  const once = { maxAttempts: 1 };
  const lostTurns = Array<Turn>(8).fill(turns.lostBefore);
  test.each<[string, readonly Turn[], Partial<ClientOptions>, object, waits: number[]]>([
    ['8 attempts', lostTurns, { maxAttempts: 8 }, lost('TypeError'), [100, 200, 400, 800, 1600, 3200, 5000]],
    ['4 attempts by default', Array<Turn>(4).fill(busy), {}, unavailable, [1100, 1200, 1400]],
    ['more than 20 s', [respond(429, '', { 'retry-after': '21' })], {}, throttled, []],
    ['one attempt: 429', html(429), once, gateway(429, 'throttled'), []],
    ['one attempt: 500', html(500), once, gateway(500, 'internal-error'), []],
    ['one attempt: 504', html(504), once, gateway(504, 'unavailable'), []],
    ['one attempt: no response', [turns.hang], { ...once, timeoutMs: 50 }, lost('TimeoutError'), []],
  ])('does not follow %s', async (_, given, options, result, waits) => {
    expect(await update(given, {}, options)).toStrictEqual({ result, waits, attempts: given.length });
  });

  const unknown = { code: 'outcome-unknown', mayBeApplied: true, etag: FIRST.etag };
  const conflict = { code: 'file-changed', mayBeApplied: false, etag: '"0"' };
  const notFound = { code: 'file-not-found', mayBeApplied: true };
  test.each<[string, Turn, Partial<FileUpdate>, object]>([
    ['412 after a lost attempt is outcome-unknown', turns.lostAfter, { ifMatch: '"0"' }, unknown],
    ['412 after 429 is file-changed', respond(429, ''), { ifMatch: '"1"' }, conflict],
    ['404 after a lost attempt may be applied', turns.lostBefore, { fileId: 'none' }, notFound],
  ])('%s', async (_, fault, change, error) => {
    expect((await update([fault], change)).result).toMatchObject({ ok: false, error });
  });
});

describe('a response of another form', () => {
  const etag = { etag: '"1"' };
  const view = (overrides: Record<string, unknown>) => JSON.stringify(aView(overrides));
  const unexpected = (status: number, text = `HTTP status ${status}`, mayBeApplied = status < 300) =>
    failed('unexpected-response', status, text, { mayBeApplied });

  const tag = { key: 'a', value: 'b', aiExtracted: true };
  test.each([
    ...['<!doctype html>', '{"id":', '', 'null', '[]'],
    ...[{ id: undefined }, { summary: 1 }, { documentKind: undefined }, { originalName: null }].map(view),
    ...[{ chunksCount: 1.5 }, { tags: 'x' }, { tags: [null] }, { tags: [{ ...tag, value: undefined }] }].map(
      view,
    ),
    ...[{ tags: [{ ...tag, key: undefined }] }, { tags: [{ ...tag, aiExtracted: 'no' }] }].map(view),
  ])('is unexpected, and may be applied: 200 %s', async (body) => {
    expect((await update([respond(200, body, etag)])).result).toStrictEqual(unexpected(200));
  });

  const extended = { ok: true, file: aView({ pages: 3 }), etag: '"1"', requestId: undefined };
  test.each<[number, string, Record<string, string>, result: object]>([
    [200, view({ pages: 3 }), etag, extended],
    [200, view({}), {}, unexpected(200)],
    [202, view({}), etag, unexpected(202)],
    [307, '', { location: 'http://127.0.0.1:1/' }, unexpected(307)],
    [404, message('Not Found'), {}, unexpected(404, 'Not Found')],
    [404, '<h1>Not Found</h1>', {}, unexpected(404)],
    [403, '{"message":1}', {}, unexpected(403)],
    [412, message('Changed'), {}, unexpected(412, 'Changed')],
    [412, 'null', etag, unexpected(412)],
    [418, message('teapot'), {}, unexpected(418, 'teapot')],
    [415, message('Type'), {}, failed('unsupported-media-type', 415, 'Type')],
  ])('has its own result: %i %s', async (status, body, headers, result) => {
    expect(await update([respond(status, body, headers)])).toStrictEqual({ result, waits: [], attempts: 1 });
  });
});

describe('an update that cannot be sent', () => {
  const url = (field: string) => `${field} cannot be part of a URL`;
  const header = (name: string) => `${name} must be printable ASCII, without spaces around it`;
  test.each<[object, object, message: string]>([
    [{ spaceId: '' }, {}, url('spaceId')],
    [{ spaceId: '.' }, {}, url('spaceId')],
    [{ fileId: '..' }, {}, url('fileId')],
    [{ fileId: 'a\ud800' }, {}, url('fileId')],
    [{ fileId: 1 }, {}, url('fileId')],
    [{ ifMatch: '"1"\r\nx: y' }, {}, header('if-match')],
    [{}, { apiKey: 'secret\n' }, header('x-api-key')],
    [{}, { apiKey: '' }, header('x-api-key')],
    [{}, { apiKey: undefined }, header('x-api-key')],
    [{}, { tenantId: ' acme' }, header('x-tenant-id')],
    [{}, { tenantId: 'acme ' }, header('x-tenant-id')],
    [{}, { userId: 'zoë' }, header('x-user-id')],
    [
      { patch: { summary: undefined, documentKind: 'note' } },
      {},
      'summary is undefined: omit it to keep its value, or send null to clear it',
    ],
  ])('%j %j says why, without a value', async (change, options, text) => {
    const result = failed('not-sent', undefined, text);
    expect(await update([], change, options)).toStrictEqual({ result, waits: [], attempts: 0 });
  });

  test('has a base URL that is not a URL', () => {
    expect(() => aClient({ baseUrl: 'files.example.com' })).toThrow(TypeError);
  });
});

describe('a signal ends an update', () => {
  test.each<[string, turn: 'none' | 'abort' | 'busy', mayBeApplied: boolean]>([
    ['before the request', 'none', false],
    ['during the request', 'abort', true],
    ['during a wait', 'busy', true],
  ])('%s', async (_, turn, mayBeApplied) => {
    const caller = new AbortController();
    const abort = () => caller.abort('enough');
    if (turn === 'none') abort();
    const given = { none: [], abort: [abort], busy: [busy] }[turn];
    const { result, attempts } = await update(
      given,
      { signal: caller.signal },
      { sleep: async () => abort() },
    );
    const aborted = failed('aborted', undefined, 'The signal was aborted', { mayBeApplied, cause: 'enough' });
    expect({ result, attempts }).toStrictEqual({ result: aborted, attempts: given.length });
  });
});

describe('by default', () => {
  const startDefault = (retryAfter: string, signal: AbortSignal, onRequest = () => {}) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const fetch = vi.fn();
    fetch.mockImplementationOnce(async () => {
      onRequest();
      return new Response('', { status: 503, headers: { 'retry-after': retryAfter } });
    });
    fetch.mockResolvedValueOnce(new Response(JSON.stringify(aView()), { headers: { etag: '"1"' } }));
    vi.stubGlobal('fetch', fetch);
    const client = createClient({ baseUrl: 'http://x', apiKey: 'k', tenantId: 't', userId: 'u' });
    return { fetch, result: client.updateFile({ ...anUpdate, signal }) };
  };
  const left = (signal: AbortSignal) => [vi.getTimerCount(), getEventListeners(signal, 'abort').length];

  test('it waits at most 200 ms before the first retry, and leaves nothing behind', async () => {
    const { signal } = new AbortController();
    const { fetch, result } = startDefault('0', signal);
    await vi.advanceTimersByTimeAsync(200);
    expect(await result).toMatchObject({ ok: true, etag: '"1"' });
    expect([fetch.mock.calls.length, ...left(signal)]).toStrictEqual([2, 0, 0]);
  });

  test('the signal ends a wait at once, and leaves nothing behind', async () => {
    const caller = new AbortController();
    const { fetch, result } = startDefault('20', caller.signal);
    await vi.advanceTimersByTimeAsync(19_999);
    expect(vi.getTimerCount()).toBe(1);
    caller.abort('enough');
    expect(await result).toMatchObject({ ok: false, error: { code: 'aborted', cause: 'enough' } });
    expect([fetch.mock.calls.length, ...left(caller.signal)]).toStrictEqual([1, 0, 0]);
  });

  test('a signal that is aborted with the response leaves no wait', async () => {
    const caller = new AbortController();
    const { fetch, result } = startDefault('20', caller.signal, () => caller.abort('enough'));
    expect(await result).toMatchObject({ ok: false, error: { code: 'aborted', cause: 'enough' } });
    expect([fetch.mock.calls.length, ...left(caller.signal)]).toStrictEqual([1, 0, 0]);
  });
});
