import { getEventListeners } from 'node:events';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { type ClientOptions, createClient, type FileUpdate } from '#client/client.ts';
import { errorResponses } from '#lib/http/responses.ts';
import { aFileView } from '#test/support/given.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: Date.UTC(2026, 8, 21) });
  vi.setTimerTickMode('nextTimerAsync');
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
});

const file = aFileView();
const view = (overrides: object) => JSON.stringify({ ...file, ...overrides });
const message = (text: string) => JSON.stringify({ message: text });
const etag = { etag: '"1"' };

type Client = ReturnType<typeof createClient>;
/** What fetch does for one request. Undefined: nothing, until its signal is aborted. */
type Turn = () => Response | undefined;
const respond =
  (status: number, body = '', headers: Record<string, string> = {}): (() => Response) =>
  () =>
    new Response(body, { status, headers });
const ok = respond(200, view({}), { ...etag, 'x-request-id': 'r' });
const busy = respond(503, message('Service Unavailable'), { 'retry-after': '1', 'x-request-id': 'r' });
const code = (name: string) => ({ 'x-error-code': name });
const rejected = (name: string, status: number, headers = {}) =>
  respond(status, message('x'), { ...code(name), ...headers });
const changed = rejected('file-changed', 412, etag);
const cutBody = () => new ReadableStream({ start: (body) => body.error(new TypeError('terminated')) });
const cutOff: Turn = () => new Response(cutBody(), { headers: etag });
const lost: Turn = () => {
  throw new TypeError('fetch failed');
};
const hang: Turn = () => undefined;
const updated = { ok: true, file, etag: '"1"', replayed: false, requestId: 'r' };

/** One update through these turns, then 200: its result, and the times of its requests in ms. */
const update = async (
  turns: readonly Turn[] = [],
  change: Partial<FileUpdate> = {},
  options: Partial<ClientOptions> = {},
  send = ({ updateFile }: Client, given: FileUpdate) => updateFile(given),
) => {
  const start = Date.now();
  const times: number[] = [];
  const respondInTurn = async (_url: string, { signal }: RequestInit) => {
    const turn = turns[times.length] ?? ok;
    times.push(Date.now() - start);
    const response = turn();
    signal?.throwIfAborted();
    if (response) return response;
    return new Promise<never>((_, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason));
    });
  };
  vi.stubGlobal('fetch', vi.fn(respondInTurn));
  const caller = { apiKey: 'k', tenantId: 't', userId: 'u' };
  const client = createClient({ baseUrl: 'http://x', ...caller, ...options });
  const result = await send(client, { spaceId: 's', fileId: file.id, patch: { summary: null }, ...change });
  return { result, times };
};

/** The headers of this name of all requests. */
const sentHeaders = (name: string) =>
  vi.mocked(fetch).mock.calls.map(([, init]) => new Headers(init?.headers).get(name));

const usual = { requestId: undefined, retryable: false, mayBeApplied: false };
/** The whole error, with the values of most errors by default. */
const failed = (code: string, status: number | undefined, text: string, more: object = {}) => ({
  ok: false,
  error: { ...usual, code, status, message: text, ...more },
});

test('updateFile sends path, headers and patch, and sends the same request again as a retry', async () => {
  const ids = { spaceId: 'a/b?c#d%2e', fileId: '…/é 😀&.' };
  const given = {
    ...ids,
    patch: { summary: 'New.', documentKind: null },
    ifMatch: '"0"',
    idempotencyKey: 'i',
  };
  const its = respond(200, view({ id: ids.fileId }), etag);
  const { result } = await update([busy, its], given, {
    baseUrl: 'http://x/stage//',
    timeoutMs: 2 ** 31 - 1,
  });
  const ofFile = { ...file, id: ids.fileId };
  expect(result).toStrictEqual({ ...updated, file: ofFile, requestId: undefined });
  const caller = { 'x-api-key': 'k', 'x-tenant-id': 't', 'x-user-id': 'u' };
  const url = 'http://x/stage/v1/spaces/a%2Fb%3Fc%23d%252e/files/%E2%80%A6%2F%C3%A9%20%F0%9F%98%80%26.';
  const request = {
    method: 'PATCH',
    headers: { 'content-type': 'application/json', ...caller, 'if-match': '"0"', 'idempotency-key': 'i' },
    body: '{"summary":"New.","documentKind":null}',
    redirect: 'manual',
    signal: expect.any(AbortSignal),
  };
  const call = [url, request];
  expect(vi.mocked(fetch).mock.calls).toStrictEqual([call, call]);
});

test('updateFile leaves out the headers that an update does not have', async () => {
  await update([], { idempotencyKey: null });
  expect(Object.keys({ ...vi.mocked(fetch).mock.calls[0]?.[1]?.headers })).toEqual([
    'content-type',
    'x-api-key',
    'x-tenant-id',
    'x-user-id',
  ]);
});

test('updateFile sends the fields that it has checked, whatever the toJSON of the patch returns', async () => {
  const toJSON = () => ({ summary: 'unchecked' });
  await update([], { patch: Object.assign(Object.create({ toJSON }), { documentKind: 'memo' }) });
  expect(vi.mocked(fetch).mock.calls[0]?.[1]?.body).toBe('{"documentKind":"memo"}');
});

test('updateFile sends one idempotency key with all attempts, and another with another update', async () => {
  const keysOf = async (idempotencyKey?: string | null) => {
    await update([respond(429), respond(429)], { idempotencyKey });
    return [...new Set(sentHeaders('idempotency-key'))];
  };
  const random = [expect.stringMatching(/^[\da-f]{32}$/)];
  const [first, second] = [await keysOf(), await keysOf()];
  expect([first, second, first[0] === second[0]]).toEqual([random, random, false]);
  expect([await keysOf('mine'), await keysOf(null)]).toEqual([['mine'], [null]]);
});

describe('updateFile', () => {
  const until = (time: string) => respond(503, '', { 'retry-after': `Mon, ${time} GMT` });
  test.each<[string, Turn, wait: number]>([
    ['503 with retry-after', busy, 1100],
    ['429 with the longest retry-after', respond(429, '', { 'retry-after': '20' }), 20_100],
    ['429 of a gateway', respond(429, 'slow down'), 100],
    ['503 until a date', until('21 Sep 2026 00:00:05'), 5100],
    ['503 until a past date', until('20 Sep 2026 23:59:55'), 100],
    ['500', respond(500, message('Internal Server Error')), 100],
    ['502 of a gateway', respond(502, '<h1>Bad Gateway</h1>'), 100],
    ['a lost connection', lost, 100],
    ['a response that is cut off', cutOff, 100],
  ])('retries after %s', async (_, turn, wait) => {
    expect(await update([turn])).toStrictEqual({ result: updated, times: [0, wait] });
  });

  const network = (name: string, text = 'The connection failed or was lost') => {
    const cause = expect.objectContaining({ name });
    return failed('network', undefined, text, { retryable: true, mayBeApplied: true, cause });
  };
  const retryable = (code: string, status: number, text = `HTTP status ${status}`, more: object = {}) =>
    failed(code, status, text, { retryable: true, mayBeApplied: status !== 429, retryAfterMs: 0, ...more });
  const later = { retryAfterMs: 1000, requestId: 'r' };
  const unavailable = retryable('unavailable', 503, 'Service Unavailable', later);
  const throttled = retryable('throttled', 429, undefined, { retryAfterMs: 21_000 });
  const times = (count: number, turn: Turn) => Array<Turn>(count).fill(turn);
  const doubled = [0, 100, 300, 700, 1500, 3100, 6300, 11_300];
  test.each<[string, readonly Turn[], maxAttempts: number | undefined, object, sent: readonly number[]]>([
    ['after 8 attempts', times(8, lost), 8, network('TypeError'), doubled],
    ['after 4 attempts by default', times(4, busy), undefined, unavailable, [0, 1100, 2300, 3700]],
    [
      'if it must wait more than 20 s',
      [respond(429, '', { 'retry-after': '21' })],
      undefined,
      throttled,
      [0],
    ],
    ['after 429 to the only attempt', [respond(429)], 1, retryable('throttled', 429), [0]],
    ['after 500 to the only attempt', [respond(500)], 1, retryable('internal-error', 500), [0]],
    ['after 504 to the only attempt', [respond(504)], 1, retryable('unavailable', 504), [0]],
  ])('stops %s', async (_, turns, maxAttempts, result, sent) => {
    const options = maxAttempts === undefined ? {} : { maxAttempts };
    expect(await update(turns, {}, options)).toStrictEqual({ result, times: sent });
  });

  const notFound = rejected('file-not-found', 404);
  test.each<[string, Turn, Turn, object]>([
    ['412 that follows a lost attempt', lost, changed, { code: 'file-changed', mayBeApplied: true, ...etag }],
    ['412 that follows 429', respond(429), changed, { code: 'file-changed', mayBeApplied: false, ...etag }],
    ['404 that follows a lost attempt', lost, notFound, { code: 'file-not-found', mayBeApplied: true }],
  ])('tells whether the update may be applied after %s', async (_, first, second, error) => {
    expect((await update([first, second])).result).toMatchObject({ ok: false, error });
  });

  test.each<[string, Partial<ClientOptions>, times: readonly number[], ms: number]>([
    ['15 seconds by default', {}, [0, 15_100, 30_300, 45_700], 60_700],
    ['timeoutMs', { timeoutMs: 50, maxAttempts: 2 }, [0, 150], 200],
  ])('ends an attempt without a response after %s, and leaves no timer', async (_, options, times, ms) => {
    const start = Date.now();
    const text = `There was no response within ${options.timeoutMs ?? 15_000} ms`;
    const result = network('TimeoutError', text);
    expect(await update(Array(4).fill(hang), {}, options)).toStrictEqual({ result, times });
    expect([Date.now() - start, vi.getTimerCount()]).toEqual([ms, 0]);
  });

  const refuse: Turn = () => {
    throw new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED', syscall: 'connect' } });
  };
  test.each<[string, Turn, sent: number]>([
    ['a lost attempt', lost, 1],
    ['503', busy, 1],
    ['429', respond(429), 2],
    ['a refused connection', refuse, 2],
  ])('sends after %s without an idempotency key %i requests', async (_, turn, sent) => {
    const { times } = await update([turn], { idempotencyKey: null });
    expect(times).toHaveLength(sent);
    expect(new Set(sentHeaders('idempotency-key'))).toEqual(new Set([null]));
  });
});

describe('updateFile', () => {
  const unexpected = (status: number, text = `HTTP status ${status}`) =>
    failed('unexpected-response', status, text, { mayBeApplied: status < 300 });
  const basic = { originalName: undefined, chunksCount: undefined, charactersCount: undefined };
  const fileWith = (overrides: object, replayed = false) => {
    return { ok: true, file: JSON.parse(view(overrides)), ...etag, replayed, requestId: undefined };
  };
  const [tag] = file.tags;
  const changed = 'File was changed by another request';
  const denied = failed('permission-denied', 403, 'x', { requestId: 'r' });
  const isChanged = code('file-changed');
  test.each<[number, string, Record<string, string>, result: object]>([
    [200, view(basic), etag, fileWith(basic)],
    [200, view({ pages: 3 }), etag, fileWith({ pages: 3 })],
    [
      200,
      view({ tags: [{ ...tag, source: 'text' }] }),
      etag,
      fileWith({ tags: [{ ...tag, source: 'text' }] }),
    ],
    [200, view(basic), { ...etag, 'idempotency-replayed': 'true' }, fileWith(basic, true)],
    [200, view(basic), { ...etag, 'idempotency-replayed': 'false' }, fileWith(basic, false)],
    [403, message('x'), { ...code('permission-denied'), 'x-request-id': 'r' }, denied],
    [412, message(changed), { ...etag, ...isChanged }, failed('file-changed', 412, changed, etag)],
    [404, 'no JSON', code('file-not-found'), failed('file-not-found', 404, 'HTTP status 404')],
    [200, view({}), {}, unexpected(200)],
    [202, view({}), etag, unexpected(202)],
    [307, '', { location: 'http://127.0.0.1:1/' }, unexpected(307)],
    [404, '<h1>Not Found</h1>', {}, unexpected(404)],
    [403, '{"message":1}', {}, unexpected(403)],
    [404, message('Space not found'), {}, unexpected(404, 'Space not found')],
    [400, message('x'), code('a-new-code'), unexpected(400, 'x')],
    [412, message('Changed'), isChanged, unexpected(412, 'Changed')],
    [412, message('Changed'), etag, unexpected(412, 'Changed')],
  ])('reads %i %s %j', async (status, body, headers, result) => {
    expect(await update([respond(status, body, headers)])).toStrictEqual({ result, times: [0] });
  });

  test.each([
    ['id', [undefined, 1, 'another', '']],
    ['originalName', [null, 1]],
    ['summary', [undefined, 1]],
    ['language', [undefined, null]],
    ['documentKind', [undefined, 1]],
    ['domain', [undefined, null]],
    ['chunksCount', [null, 1.5]],
    ['charactersCount', [null, 1.5]],
    ['tags', [undefined, 'x', [null]]],
    ['tags', [[{ ...tag, key: 1 }], [{ ...tag, value: undefined }], [tag, { ...tag, aiExtracted: 'no' }]]],
  ])(
    'takes no 200 with a wrong %s for a file, and says that the update may be applied',
    async (field, values) => {
      for (const body of values.map((value) => view({ [field]: value })))
        expect((await update([respond(200, body, etag)])).result).toStrictEqual(unexpected(200));
    },
  );
  test.each(['<!doctype html>', '{"id":', '', 'null', '[]'])(
    'takes no 200 with the body %s for a file',
    async (body) => {
      expect((await update([respond(200, body, etag)])).result).toStrictEqual(unexpected(200));
    },
  );

  // Nobody changes these: a service of this version sends them to each newer client.
  const basicOf100 = {
    id: file.id,
    summary: null,
    language: 'en',
    documentKind: null,
    domain: 'hr',
    tags: [],
  };
  const detailedOf100 = { ...basicOf100, originalName: 'a.pdf', chunksCount: 1, charactersCount: 2 };
  test.each([basicOf100, detailedOf100])('reads the file of version 1.0.0 %o', async (sent) => {
    const { result } = await update([respond(200, JSON.stringify(sent), etag)]);
    expect(result).toStrictEqual({ ...updated, file: sent, requestId: undefined });
  });

  test('reads the code of each error of the service', async () => {
    for (const [name, { status }] of Object.entries(errorResponses)) {
      const { result } = await update([rejected(name, status, etag)], {}, { maxAttempts: 1 });
      expect(result).toMatchObject({ error: { code: name, status } });
    }
  });

  const fails = (cause?: object) => () => {
    throw new TypeError('fetch failed', { cause });
  };
  const refused = { code: 'ECONNREFUSED', syscall: 'connect' };
  const reset = { code: 'ECONNRESET', syscall: 'read' };
  const throwing = {
    get syscall() {
      throw new Error('secret');
    },
  };
  const selfCaused = new TypeError('fetch failed');
  selfCaused.cause = selfCaused;
  const throws = (error: unknown) => () => {
    throw error;
  };
  const unsentBody: Turn = () => Object.assign(ok(), { text: fails(refused) });
  // A 4xx never takes effect; after a 5xx the effect is unknown (docs/contract.md, Semantics).
  test.each<readonly [mayBeApplied: boolean, what: string, Turn]>([
    ...[200, 202, 408, 500, 502, 503, 504].map((status) => [true, `${status}`, respond(status)] as const),
    ...[300, 301, 307, 400, 401, 403, 404, 405, 412, 413, 415, 429].map(
      (status) => [false, `${status}`, respond(status)] as const,
    ),
    [true, 'a lost connection', fails(reset)],
    [true, 'a failure without a reason, as in browsers', fails()],
    [true, 'a failure of some addresses', fails({ errors: [refused, reset] })],
    [true, 'a failure of no address', fails({ errors: [] })],
    [true, 'a TLS error', fails({ code: 'EPROTO', syscall: 'write' })],
    [true, 'an error that is its own cause', throws(selfCaused)],
    [true, 'an error that cannot be read', fails(throwing)],
    [true, 'a string', throws('enough')],
    [true, 'a body that is cut off', cutOff],
    [true, 'a body that fails as if it was not sent', unsentBody],
    [false, 'a refused connection', fails(refused)],
    [false, 'a connection refused by each address', fails({ errors: [refused, refused] })],
    [false, 'an unknown host', fails({ code: 'ENOTFOUND', syscall: 'getaddrinfo' })],
    [false, 'a connection that takes too long', fails({ code: 'UND_ERR_CONNECT_TIMEOUT' })],
  ])('sets mayBeApplied to %s after %s', async (mayBeApplied, _, turn) => {
    expect((await update([turn], {}, { maxAttempts: 1 })).result).toMatchObject({ error: { mayBeApplied } });
  });

  const host = 'The host could not be reached, or not in time';
  const tls = 'TLS failed, for example because of the certificate of the host';
  test.each<[string, cause: object | undefined]>([
    ['The host refused the connection', refused],
    ['The host refused the connection', { errors: [refused, { code: 'EHOSTUNREACH', syscall: 'connect' }] }],
    ['The host of baseUrl was not found', { code: 'ENOTFOUND', syscall: 'getaddrinfo' }],
    ['The host of baseUrl was not found', { code: 'EAI_AGAIN', syscall: 'getaddrinfo' }],
    [host, { code: 'EHOSTUNREACH', syscall: 'connect' }],
    [host, { code: 'UND_ERR_CONNECT_TIMEOUT' }],
    [tls, { code: 'CERT_HAS_EXPIRED' }],
    [tls, { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }],
    [tls, { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }],
    [tls, { code: 'ERR_TLS_CERT_ALTNAME_INVALID' }],
    [tls, { code: 'ERR_SSL_WRONG_VERSION_NUMBER' }],
    [tls, { code: 'EPROTO', syscall: 'write' }],
    ['The connection failed or was lost', reset],
    ['The connection failed or was lost', undefined],
  ])('says "%s" after %j', async (message, cause) => {
    const { result } = await update([fails(cause)], {}, { maxAttempts: 1 });
    expect(result).toMatchObject({ error: { code: 'network', message } });
  });
});

describe('updateFile', () => {
  const url = (field: string) => `${field} cannot be part of a URL`;
  const header = (name: string) => `${name} must be printable ASCII, without spaces around it`;
  const value = 'summary must be a string, or null to clear it, or be omitted to keep it';
  const patch = 'patch must be an object';
  const base = 'baseUrl must be an http or https URL without user, query and fragment';
  const attempts = 'maxAttempts must be an integer of at least 1';
  const timeout = 'timeoutMs must be an integer from 1 to 2147483647';
  const throwing = {
    get summary() {
      throw new Error('secret');
    },
  };
  test.each<readonly [change: object, text: string]>([
    [{ spaceId: '' }, url('spaceId')],
    [{ spaceId: '.' }, url('spaceId')],
    [{ fileId: '..' }, url('fileId')],
    [{ fileId: 'a\ud800' }, url('fileId')],
    [{ fileId: 1 }, url('fileId')],
    [{ ifMatch: '"1"\r\nx: y' }, header('ifMatch')],
    [{ idempotencyKey: '' }, header('idempotencyKey')],
    [{ signal: {} }, 'signal must be an AbortSignal'],
    [{ signal: Object.create(AbortSignal.prototype) }, 'the update cannot be read'],
    [{ patch: null }, patch],
    [{ patch: [] }, patch],
    [{ patch: throwing }, 'the update cannot be read'],
    ...[undefined, Number.NaN].map(
      (summary) => [{ patch: { summary, documentKind: 'note' } }, value] as const,
    ),
  ])('says without a value why it cannot send an update (%#)', async (change, text) => {
    const result = failed('not-sent', undefined, text);
    expect(await update([], change)).toStrictEqual({ result, times: [] });
  });

  const options = { baseUrl: 'http://x', apiKey: 'k', tenantId: 't', userId: 'u' };
  test.each<readonly [wrong: unknown, text: string]>([
    ...[undefined, null, 'http://x'].map(
      (given) => [given, 'options must have baseUrl, apiKey, tenantId and userId'] as const,
    ),
    [{}, base],
    ...['', 'files.example.com', 'xhttp://x', 'http://x?', 'http://x#a', 'http://u@x', 'http://', 1].map(
      (baseUrl) => [{ ...options, baseUrl }, base] as const,
    ),
    [{ ...options, baseUrl: new URL('http://x') }, base],
    ...[0, 1.5, '4', null].flatMap(
      (number) =>
        [
          [{ ...options, maxAttempts: number }, attempts],
          [{ ...options, timeoutMs: number }, timeout],
        ] as const,
    ),
    [{ ...options, timeoutMs: 2 ** 31 }, timeout],
    [{ ...options, apiKey: 'secret\n' }, header('apiKey')],
    [{ ...options, apiKey: '' }, header('apiKey')],
    [{ ...options, apiKey: undefined }, header('apiKey')],
    [{ ...options, tenantId: ' acme' }, header('tenantId')],
    [{ ...options, tenantId: 'acme ' }, header('tenantId')],
    [{ ...options, userId: 'zoë' }, header('userId')],
  ])('createClient throws for wrong options, and says without a value why (%#)', (wrong, text) => {
    const create = () => Reflect.apply(createClient, undefined, [wrong]);
    expect(create).toThrow(new TypeError(text));
  });

  test('a client keeps the options that it was created with', async () => {
    const changing = { ...options };
    vi.stubGlobal('fetch', vi.fn(ok));
    const { updateFile } = createClient(changing);
    Object.assign(changing, { apiKey: 'another', baseUrl: '' });
    await updateFile({ spaceId: 's', fileId: file.id, patch: { summary: null } });
    expect(vi.mocked(fetch).mock.calls[0]?.[0]).toBe(`http://x/v1/spaces/s/files/${file.id}`);
    expect(sentHeaders('x-api-key')).toEqual(['k']);
  });
});

describe('changeFile', () => {
  /** Appends to the summary of a file that others change between all requests: it was 0, then 1, and so on. */
  const append = async (turns: readonly Turn[], isKnown: boolean) => {
    let reads = 0;
    const read = () => ({ file: { summary: `${reads}` }, etag: `"v${reads++}"` });
    const known = isKnown ? read() : undefined;
    const { result } = await update(turns, {}, {}, ({ changeFile }, { spaceId, fileId }) =>
      changeFile({ spaceId, fileId, known, read }, ({ summary }) => ({ summary: `${summary}!` })),
    );
    const bodies = vi.mocked(fetch).mock.calls.map(([, init]) => init?.body);
    return { result, etags: sentHeaders('if-match'), bodies };
  };
  const isChanged = { error: { code: 'file-changed', mayBeApplied: false } };
  const notFound = { error: { code: 'file-not-found', mayBeApplied: false } };
  const mayBeApplied = { error: { code: 'file-changed', mayBeApplied: true } };
  test.each<[string, readonly Turn[], isKnown: boolean, sent: readonly number[], object]>([
    ['reads first if nothing is known', [], false, [0], updated],
    ['reads and changes again while others are faster', [changed, changed], true, [0, 1, 2], updated],
    ['gives up after 5 changes', Array(5).fill(changed), true, [0, 1, 2, 3, 4], isChanged],
    ['does not repeat after another error', [rejected('file-not-found', 404)], true, [0], notFound],
    ['does not repeat a change that may be applied', [lost, changed], true, [0, 0], mayBeApplied],
  ])('%s', async (_, turns, isKnown, sent, result) => {
    const etags = sent.map((read) => `"v${read}"`);
    const bodies = sent.map((read) => `{"summary":"${read}!"}`);
    expect(await append(turns, isKnown)).toMatchObject({ result, etags, bodies });
  });

  test('ends with its signal while it waits to read again', async () => {
    const caller = new AbortController();
    const state = { file: {}, etag: '"0"' };
    const turn = () => {
      setTimeout(() => caller.abort('enough'), 50);
      return changed();
    };
    const start = Date.now();
    const { result, times } = await update([turn], {}, {}, ({ changeFile }, { spaceId, fileId }) =>
      changeFile({ spaceId, fileId, read: async () => state, signal: caller.signal }, () => ({
        summary: null,
      })),
    );
    const error = { cause: 'enough' };
    expect(result).toStrictEqual(failed('aborted', undefined, 'The signal was aborted', error));
    expect([times, Date.now() - start]).toStrictEqual([[0], 50]);
  });

  // As plain JavaScript can give them.
  const withEtag = (given: unknown) => Object.assign({ file: {}, etag: '' }, { etag: given });
  const noState: ReturnType<typeof withEtag> = JSON.parse('null');
  test.each([
    ...[undefined, null, ['"1"'], '', '*', '1', 'W/"1"', '"1","2"', '"1", "2"'].map(withEtag),
    noState,
  ])('sends nothing without the etag of the file: %o', async (state) => {
    const change = vi.fn(() => ({ summary: null }));
    const text = 'etag must be the one that the service sent, with its quotes';
    const expected = { result: failed('not-sent', undefined, text), times: [] };
    for (const known of [undefined, state])
      expect(
        await update([], {}, {}, ({ changeFile }, { spaceId, fileId }) =>
          changeFile({ spaceId, fileId, known, read: async () => state }, change),
        ),
      ).toStrictEqual(expected);
    expect(change).not.toHaveBeenCalled();
  });
});

describe('a signal', () => {
  const left = (signal: AbortSignal) => [vi.getTimerCount(), getEventListeners(signal, 'abort')];
  type SignalTurn = (abort: () => void) => Response | undefined;
  test.each<[string, attempts: number, maxAttempts: number, endMs: number, SignalTurn]>([
    ['before the request', 0, 4, 0, () => undefined],
    ['during the request', 1, 4, 0, (abort) => void abort()],
    ['while nothing responds', 1, 4, 700, (abort) => void setTimeout(abort, 700)],
    ['during the last request', 1, 1, 0, (abort) => void abort()],
    ['with the response', 1, 4, 0, (abort) => Object.assign(busy(), { text: async () => `${abort()}` })],
    ['during a wait', 1, 4, 500, (abort) => setTimeout(abort, 500) && busy()],
  ])(
    'ends an update %s, whatever its reason, and leaves no timer and no listener',
    async (_, attempts, maxAttempts, endMs, turn) => {
      const start = Date.now();
      const caller = new AbortController();
      // As the error of a connection that sent nothing.
      const cause = new TypeError('fetch failed', { cause: { syscall: 'connect' } });
      const abort = () => caller.abort(cause);
      if (attempts === 0) abort();
      const turns = [() => turn(abort)];
      const { result, times } = await update(turns, { signal: caller.signal }, { maxAttempts });
      const error = { mayBeApplied: attempts > 0, cause };
      expect(result).toStrictEqual(failed('aborted', undefined, 'The signal was aborted', error));
      expect([times.length, Date.now() - start, ...left(caller.signal)]).toStrictEqual([
        attempts,
        endMs,
        0,
        [],
      ]);
    },
  );

  test('that is not aborted leaves no timer and no listener', async () => {
    const { signal } = new AbortController();
    expect((await update([busy], { signal })).result).toStrictEqual(updated);
    expect(left(signal)).toStrictEqual([0, []]);
  });
});
