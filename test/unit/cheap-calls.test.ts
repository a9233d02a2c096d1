import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchGetCommand, DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { HttpRequest } from '@smithy/core/protocols';
import { mockClient } from 'aws-sdk-client-mock';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Sha256 } from '#lib/runtime/cheap-calls.ts';
import { createDynamoDBClient } from '#lib/runtime/dynamodb-client.ts';
import { requestOf, stubSettings, withoutSockets } from '#test/support/client.ts';

test('has no middleware that logs, and the one that retries does nothing', () => {
  expect(createDynamoDBClient().middlewareStack.identify()).toEqual([
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

test("sends the SDK's own request, except for headers about attempts and the user agent", async () => {
  stubSettings();
  vi.stubEnv('AWS_EXECUTION_ENV', 'AWS_Lambda_nodejs');
  const [ours, theirs] = [createDynamoDBClient(), DynamoDBDocumentClient.from(new DynamoDBClient())];
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
  const { client, update } = withoutSockets(createDynamoDBClient, () => '{}');
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

test("a mock of the SDK's class sees each call, as with the SDK's own client", async () => {
  const { client, update } = withoutSockets(createDynamoDBClient, () => '{}');
  const { signal: abortSignal } = new AbortController();
  const mock = mockClient(DynamoDBDocumentClient);
  onTestFinished(() => mock.restore());
  mock.on(UpdateCommand, { TableName: 'Files' }).resolves({ Attributes: { fileId: 'mocked' } });
  expect(await update()).toEqual({ Attributes: { fileId: 'mocked' } });
  const other = new UpdateCommand({ TableName: 'Spaces', Key: {} });
  expect(await client.send(other, { abortSignal })).toBe(undefined);
  expect(mock.commandCalls(UpdateCommand)).toHaveLength(2);
});

// Each copy of the SDK's configuration reads its getters, and V8 copies an object with getters slowly.
test('reads the getter of the configuration once per call, to sign, and not to copy it', async () => {
  const { client, update } = withoutSockets(createDynamoDBClient, () => '{}');
  const { get: readCredentials } = Object.getOwnPropertyDescriptor(client.config, 'credentials') ?? {};
  const get = vi.fn(() => Reflect.apply(readCredentials ?? expect.unreachable(), client.config, []));
  Object.defineProperty(client.config, 'credentials', { get });
  await update();
  get.mockClear();
  for (let call = 0; call < 3; call += 1) await update();
  expect(get).toHaveBeenCalledTimes(3);
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

test('signs by these', () => {
  expect(createDynamoDBClient().config.sha256).toBe(Sha256);
});
