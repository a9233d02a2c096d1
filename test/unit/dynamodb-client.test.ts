import dns from 'node:dns';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchGetCommand, DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { HttpRequest } from '@smithy/core/protocols';
import { expect, onTestFinished, test, vi } from 'vitest';
import { clientOptions, createClient, Sha256 } from '#lib/runtime/dynamodb-client.ts';
import { defaultProvider } from '#lib/runtime/shims/credentials.ts';
import { EventStreamSerde, eventStreamSerdeProvider } from '#lib/runtime/shims/event-streams.ts';
import { readFile } from '#lib/runtime/shims/no-files.ts';
import { settingsFor } from '#test/support/processes.ts';
import { brokenReplies, jsonReply, type Reply, startServer } from '#test/support/server.ts';

const stubSettings = (endpoint?: string): void => {
  for (const [name, value] of Object.entries(settingsFor(endpoint ?? ''))) vi.stubEnv(name, value);
  if (endpoint === undefined) vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', undefined);
};

/** A client whose calls get these replies. */
const connect = async (...replies: readonly Reply[]) => {
  const { endpoint, received } = await startServer(...replies);
  stubSettings(endpoint);
  const client = createClient();
  onTestFinished(() => client.config.requestHandler.destroy?.());
  const update = (fileId = 'a', abortSignal = new AbortController().signal) =>
    client.send(new UpdateCommand({ TableName: 'Files', Key: { spaceId: 's', fileId } }), { abortSignal });
  return { client, update, received };
};
const ok = jsonReply('{}');
const paddedTo = (bytes: number) => jsonReply('{}'.padEnd(bytes));
const MiB = 1024 * 1024;

test('makes one attempt and limits the time to connect', () => {
  expect(clientOptions).toMatchObject({ maxAttempts: 1, requestHandler: { connectionTimeout: 300 } });
});

test('has no middleware that logs, and the one that retries does nothing', () => {
  expect(createClient().middlewareStack.identify()).toEqual([
    'keepChainMiddleware - initialize',
    'serializerMiddleware - serialize',
    'contentLengthMiddleware - build',
    'hostHeaderMiddleware - build',
    'recursionDetectionMiddleware - build',
    'getUserAgentMiddleware - build',
    'retryMiddleware - finalizeRequest',
    'httpSigningMiddleware (a.k.a. apiKeyMiddleware,tokenMiddleware,awsAuthMiddleware) - finalizeRequest',
    'deserializerMiddleware - deserialize',
    'handleRequestMiddleware - deserialize',
  ]);
});

/** What a client would send for an update. */
const requestOf = async (client: DynamoDBDocumentClient): Promise<HttpRequest> => {
  const handle = vi.spyOn(client.config.requestHandler, 'handle').mockRejectedValue(new Error('not sent'));
  const update = new UpdateCommand({ TableName: 'Files', Key: { spaceId: 's', fileId: 'é' } });
  const { signal: abortSignal } = new AbortController();
  await expect(client.send(update, { abortSignal })).rejects.toThrow('not sent');
  return handle.mock.lastCall?.[0];
};

test.each([
  [{}, 'dynamodb.us-east-1.amazonaws.com'],
  [{ AWS_USE_FIPS_ENDPOINT: 'true' }, 'dynamodb-fips.us-east-1.amazonaws.com'],
  [{ AWS_USE_DUALSTACK_ENDPOINT: 'true' }, 'dynamodb.us-east-1.api.aws'],
  [
    { AWS_USE_FIPS_ENDPOINT: 'false', AWS_USE_DUALSTACK_ENDPOINT: 'false' },
    'dynamodb.us-east-1.amazonaws.com',
  ],
])('with %j, calls %s', async (variables, hostname) => {
  stubSettings();
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  expect(await requestOf(createClient())).toMatchObject({ hostname });
});

test("sends the SDK's own request, except for headers about attempts and the user agent", async () => {
  stubSettings();
  vi.stubEnv('AWS_EXECUTION_ENV', 'AWS_Lambda_nodejs24.x');
  const [ours, theirs] = [createClient(), DynamoDBDocumentClient.from(new DynamoDBClient())];
  // The headers that we leave out would be signed: without them, the signatures can be compared.
  const place = { name: 'retryMiddleware', step: 'finalizeRequest', priority: 'high' } as const;
  theirs.middlewareStack.add(
    (next) => async (args) => {
      if (HttpRequest.isInstance(args.request)) delete args.request.headers['x-amz-user-agent'];
      return next(args);
    },
    { ...place, override: true },
  );
  for (const time of ['2026-11-21T00:00:00Z', '2026-11-22T12:00:00Z']) {
    vi.setSystemTime(time);
    const { headers, ...request } = await requestOf(ours);
    const { headers: theirHeaders, ...theirRequest } = await requestOf(theirs);
    const userAgent = headers['user-agent'];
    expect({ headers, ...request }).toEqual({
      headers: { ...theirHeaders, 'user-agent': userAgent },
      ...theirRequest,
    });
    expect(headers['authorization']).toMatch(/^AWS4-HMAC-SHA256 Credential=local\/2026112[12]\/us-east-1\//);
    expect(theirHeaders['user-agent']?.replace(/ m\/[\w,]+/, '')).toBe(
      userAgent?.replace('DynamoDB', 'dynamodb'),
    );
  }
});

test('resolves the middlewares once for each kind of command', async () => {
  const { client, update } = await connect(ok);
  const { signal: abortSignal } = new AbortController();
  const read = () =>
    client.send(new BatchGetCommand({ RequestItems: { Spaces: { Keys: [{ spaceId: 's' }] } } }), {
      abortSignal,
    });
  const resolvedUpdate = vi.spyOn(UpdateCommand.prototype, 'resolveMiddleware');
  const resolvedRead = vi.spyOn(BatchGetCommand.prototype, 'resolveMiddleware');
  for (let call = 0; call < 3; call += 1) await Promise.all([update(), read()]);
  expect([resolvedUpdate.mock.calls.length, resolvedRead.mock.calls.length]).toEqual([1, 1]);
});

test('gives each of two calls at the same time its own input, response and signal', async () => {
  const aborted = new AbortController();
  const echo: Reply = (response, request) => {
    if (request.body.includes('"b"')) return aborted.abort('late');
    return jsonReply(`{"Attributes":${JSON.stringify(JSON.parse(request.body).Key)}}`)(response, request);
  };
  const { update } = await connect(echo);
  expect(await Promise.allSettled([update('a'), update('b', aborted.signal), update('c')])).toMatchObject([
    { value: { Attributes: { spaceId: 's', fileId: 'a' } } },
    { reason: { name: 'AbortError' } },
    { value: { Attributes: { spaceId: 's', fileId: 'c' } } },
  ]);
});

test('sends nothing when it is aborted before', async () => {
  const { update, received } = await connect(ok);
  await expect(update('a', AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
  expect(received).toEqual([]);
});

test('uses a connection again, and reads a response of 8 MiB', async () => {
  const { update, received } = await connect(ok, paddedTo(8 * MiB));
  await update();
  await update();
  expect(received[1]?.socket).toBe(received[0]?.socket);
});

const endless: Reply = (response) => response.writeHead(200).write('{');
test.each<[string, Reply, object]>([
  ['has more than 8 MiB', paddedTo(8 * MiB + 1), { code: 'ERR_RESPONSE_TOO_LARGE' }],
  ['is cut off', brokenReplies.cutOff, { code: 'ECONNRESET' }],
  ['does not come', brokenReplies.reset, { code: 'ECONNRESET' }],
])('fails when a response %s', async (_, reply, error) => {
  const { update } = await connect(reply);
  await expect(update()).rejects.toMatchObject(error);
});

test('ends when it is aborted in the middle of a response', async () => {
  const { client, update } = await connect(endless);
  const controller = new AbortController();
  const { handle } = client.config.requestHandler;
  vi.spyOn(client.config.requestHandler, 'handle').mockImplementation(async (...request) => {
    const result = await Reflect.apply(handle, client.config.requestHandler, request);
    setImmediate(() => controller.abort());
    return result;
  });
  await expect(update('a', controller.signal)).rejects.toMatchObject({ code: 'ECONNRESET' });
});

test('limits the time to connect, but not the time to respond', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const slow: Reply = (response, request) => {
    vi.advanceTimersByTime(300);
    return ok(response, request);
  };
  const { update } = await connect(slow);
  expect(await update()).toMatchObject({ $metadata: { httpStatusCode: 200 } });

  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', 'http://table.example');
  // No address is found.
  vi.spyOn(dns, 'lookup').mockImplementationOnce(() => void setImmediate(() => vi.advanceTimersByTime(300)));
  const command = new UpdateCommand({ TableName: 'Files', Key: { spaceId: 's', fileId: 'a' } });
  const { signal: abortSignal } = new AbortController();
  await expect(createClient().send(command, { abortSignal })).rejects.toMatchObject({ name: 'TimeoutError' });
});

const abc = new TextEncoder().encode('-abc-');
const hashOfAbc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
const hmacOfJefe = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843';
test.each([
  ['text (FIPS 180-4)', undefined, ['abc'], hashOfAbc],
  ['a part of a buffer', undefined, [abc.subarray(1, 4)], hashOfAbc],
  ['a whole buffer', undefined, [abc.slice(1, 4).buffer], hashOfAbc],
  ['text with a secret (RFC 4231, case 2)', 'Jefe', ['what do ya want ', 'for nothing?'], hmacOfJefe],
  ['text with a secret in bytes', Buffer.from('Jefe'), ['what do ya want for nothing?'], hmacOfJefe],
])('computes the SHA-256 of %s', async (_, secret, parts, hex) => {
  const sha256 = new Sha256(secret);
  for (const part of parts) sha256.update(part);
  expect(Buffer.from(await sha256.digest()).toString('hex')).toBe(hex);
});

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
