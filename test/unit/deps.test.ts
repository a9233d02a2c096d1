import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { ApiError, InternalError } from '#lib/domain/errors.ts';
import { clientOptions, createClient, createStore, liveDeps, readConfig } from '#lib/runtime/deps.ts';
import { useEndpoint } from '#test/support/endpoint.ts';
import { aRequestContext, createEnvironment } from '#test/support/environment.ts';
import { aContext, anEvent } from '#test/support/event.ts';
import { aFileView } from '#test/support/given.ts';
import {
  brokenReplies,
  errorReply,
  jsonReply,
  type Reply,
  startServer,
  textReply,
} from '#test/support/server.ts';
import { aResponse } from '#test/support/service.ts';
import { openTables } from '#test/support/tables.ts';

afterEach(() => void vi.unstubAllEnvs());

const names = { API_KEYS_TABLE: 'Keys', SPACES_TABLE: 'Spaces', FILES_TABLE: 'Files' };
const config = { apiKeysTable: 'Keys', spacesTable: 'Spaces', filesTable: 'Files' };

describe('readConfig', () => {
  test('reads the names of the tables', () => {
    expect(readConfig({ ...names, PATH: '/bin' })).toEqual(config);
  });

  test.each([
    [{}, 'API_KEYS_TABLE, SPACES_TABLE, FILES_TABLE'],
    [{ ...names, FILES_TABLE: undefined }, 'FILES_TABLE'],
    [{ ...names, SPACES_TABLE: '' }, 'SPACES_TABLE'],
  ])('names each missing setting of %j', (env, missing) => {
    expect(() => readConfig(env)).toThrow(new InternalError(`not set: ${missing}`));
  });
});

describe('the client', () => {
  test('makes one attempt, limits the time to connect and looks up nothing in files', async () => {
    const { userAgentAppId, authSchemePreference, ...options } = clientOptions;
    expect(options).toEqual({
      maxAttempts: 1,
      retryMode: 'standard',
      defaultsMode: 'standard',
      useDualstackEndpoint: false,
      useFipsEndpoint: false,
      accountIdEndpointMode: 'disabled',
      endpointDiscoveryEnabled: false,
      requestHandler: { connectionTimeout: 300 },
    });
    expect([await userAgentAppId(), await authSchemePreference()]).toEqual([undefined, []]);
  });

  test('has no middleware that logs, and the one that retries does nothing', () => {
    expect(createClient().middlewareStack.identify()).toEqual([
      'serializerMiddleware - serialize',
      'contentLengthMiddleware - build',
      'getUserAgentMiddleware - build',
      'hostHeaderMiddleware - build',
      'recursionDetectionMiddleware - build',
      'retryMiddleware - finalizeRequest',
      'httpSigningMiddleware (a.k.a. apiKeyMiddleware,tokenMiddleware,awsAuthMiddleware) - finalizeRequest',
      'deserializerMiddleware - deserialize',
    ]);
  });
});

describe('a reply of DynamoDB, through the client', () => {
  const environment = createEnvironment();
  const half = '{"Attributes":{"fileId":';
  const failed = (failure: Reply) => [failure, errorReply('ConditionalCheckFailedException')];
  const notFound = new ApiError('file-not-found', { reason: 'space has no such file' });
  const unclear = new ApiError('unavailable', { reason: 'rejected after an attempt with unknown outcome' });
  /** Nothing more is sent, and the time for an attempt passes. */
  const timeOut = () => environment.advance(700);

  test.each<[string, Reply, ApiError]>([
    ['connection reset', brokenReplies.reset, unclear],
    ['malformed head', brokenReplies.malformedHead, unclear],
    ['body cut off', brokenReplies.cutOff, unclear],
    ['no reply', timeOut, unclear],
    ['body without end', (response) => response.writeHead(200).write(half, timeOut), unclear],
    ['half of a body', textReply(half), unclear],
    ['empty body', textReply(''), unclear],
    ['empty object', jsonReply({}), unclear],
    ['another object', jsonReply({ hello: 'world' }), unclear],
    ['HTML under 200', textReply('<html>it works</html>'), unclear],
    ['HTML under 503', textReply('<html>unavailable</html>', 503), unclear],
    ['InternalServerError', errorReply('InternalServerError', 500), unclear],
    ['ThrottlingException', errorReply('ThrottlingException'), notFound],
  ])('is no response and the write is sent again: %s', async (_, failure, error) => {
    const server = await startServer(...failed(failure));
    useEndpoint(server.endpoint);
    const store = createStore({ client: createClient(), ...config }, environment);
    const update = { spaceId: 'handbook', fileId: 'f', patch: { summary: null }, updatedBy: 'grace' };
    const context = aRequestContext({ deadline: environment.uptime() + 5_000 });
    const result = store.updateFile({ ...update, precondition: { kind: 'none' } }, context);
    await expect(result).rejects.toThrow(error);
    expect(server.received.map(({ headers }) => Object.keys(headers).toSorted())).toEqual(
      Array(2).fill([
        ...['authorization', 'connection', 'content-length', 'content-type', 'host', 'user-agent'],
        ...['x-amz-content-sha256', 'x-amz-date', 'x-amz-target', 'x-amz-user-agent'],
      ]),
    );
  });
});

describe('the exported handler', async () => {
  const tables = await openTables('deps');
  const printed: string[] = [];
  const write = vi.spyOn(process.stdout, 'write');
  beforeEach(async () => {
    await tables.putGiven();
    useEndpoint(inject('endpoint'));
    vi.stubEnv('API_KEYS_TABLE', tables.config.apiKeysTable);
    vi.stubEnv('SPACES_TABLE', tables.config.spacesTable);
    vi.stubEnv('FILES_TABLE', tables.config.filesTable);
    printed.length = 0;
    write.mockImplementation((text) => printed.push(String(text)) > 0);
    vi.resetModules();
  });
  afterEach(() => void write.mockReset());
  const load = () => import('#handlers/update-file.ts');
  const event = JSON.parse(JSON.stringify(anEvent()));

  test('uses the environment, the real clock and unique ids, and logs one line to stdout', async () => {
    const { handler } = await load();
    const started = Date.now();
    const [first, second] = [await handler(event, aContext()), await handler(event, aContext())];
    const [id, otherId] = [first, second].map(({ headers }) => headers['x-request-id'] ?? '');
    const [version = 0] = [first].map(({ headers }) => Number(headers['etag']?.slice(1, -1)));
    expect(first).toEqual(aResponse(200, aFileView({ summary: 'New.' }), { etag: `"${version}"` }, id));
    expect(version).toBeGreaterThanOrEqual(started * 1000);
    expect(id).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
    expect(otherId).not.toBe(id);
    expect(printed.map((text) => text.endsWith('\n') && JSON.parse(text))).toMatchObject([
      { outcome: 'updated', requestId: id },
      { outcome: 'updated', requestId: otherId },
    ]);
  });

  test('opens the tables once', () => {
    const { store } = liveDeps();
    expect(store()).toBe(store());
  });

  test('survives a closed stdout', async () => {
    await load();
    expect(process.stdout.emit('error', new Error('write EPIPE'))).toBe(true);
  });

  test('warns of nothing if the time of Lambda is over', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockReturnValue();
    const { handler } = await load();
    expect(await handler(event, aContext(0))).toMatchObject({ statusCode: 503 });
    expect(warn.mock.calls).toEqual([]);
    warn.mockRestore();
  });

  test('responds with an opaque 500 if a setting is missing, and the log names it', async () => {
    vi.stubEnv('FILES_TABLE', undefined);
    const { handler, prime } = await load();
    await prime();
    expect(printed).toEqual([]);
    const response = await handler(event, aContext());
    expect(response).toMatchObject({ statusCode: 500, body: '{"message":"Internal Server Error"}' });
    expect(JSON.parse(printed.join())).toMatchObject({ reason: 'not set: FILES_TABLE' });
  });
});
