import dns from 'node:dns';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { HttpRequest } from '@smithy/core/transport';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Crc32 } from '#lib/runtime/shims/checksum.ts';
import { defaultProvider } from '#lib/runtime/shims/credentials.ts';
import * as discovery from '#lib/runtime/shims/endpoint-discovery.ts';
import { EventStreamSerde, eventStreamSerdeProvider } from '#lib/runtime/shims/event-streams.ts';
import { readFile } from '#lib/runtime/shims/no-files.ts';
import { NodeHttpHandler, streamCollector } from '#lib/runtime/shims/request-handler.ts';
import { Sha256 } from '#lib/runtime/shims/sha256.ts';
import { settingsFor } from '#test/support/endpoint.ts';
import { type Reply, startServer } from '#test/support/server.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('the request handler', () => {
  type Options = Parameters<typeof NodeHttpHandler.create>[0];
  /** Sends requests to a server that gives these replies. */
  const connect = async (replies: readonly Reply[], options: Options = { connectionTimeout: 300 }) => {
    const { port, received } = await startServer(...replies);
    const handler = NodeHttpHandler.create(options);
    onTestFinished(() => handler.destroy?.());
    const headers = { 'x-amz-target': 'DynamoDB_20120810.UpdateItem' };
    const message = { method: 'POST', path: '/', headers, body: '{}' };
    const base = { protocol: 'http:', hostname: '127.0.0.1', port, ...message };
    const sendHead = async (overrides: Partial<HttpRequest> = {}, abortSignal?: AbortSignal) => {
      const request = new HttpRequest({ ...base, ...overrides });
      return (await handler.handle(request, { ...(abortSignal && { abortSignal }) })).response;
    };
    const send = async (...request: Parameters<typeof sendHead>) => {
      const { body, ...head } = await sendHead(...request);
      return { ...head, body: Buffer.from(await streamCollector(body)).toString() };
    };
    return { handler, sendHead, send, received };
  };
  const textReply =
    (text: string): Reply =>
    (response) =>
      response.end(text);
  const ok = textReply('{"ok":true}');

  test('sends a request as it is and returns status, reason, headers and body', async () => {
    const bad: Reply = (response) =>
      response.writeHead(400, 'Bad', { 'x-one': '1', 'set-cookie': ['a', 'b'] }).end('é'.repeat(100_000));
    const { handler, send, received } = await connect([bad]);
    handler.updateHttpClientConfig('connectionTimeout', 1);
    expect(handler.httpHandlerConfigs()).toEqual({ connectionTimeout: 300 });
    expect(await send({ path: '/path', query: { a: 'b c', d: ['1', '2'] } })).toMatchObject({
      statusCode: 400,
      reason: 'Bad',
      headers: { 'x-one': '1', 'set-cookie': 'a,b' },
      body: 'é'.repeat(100_000),
    });
    expect(received).toMatchObject([
      {
        method: 'POST',
        url: '/path?a=b%20c&d=1&d=2',
        headers: { 'x-amz-target': 'DynamoDB_20120810.UpdateItem' },
        body: '{}',
      },
    ]);
  });

  const abortError = { name: 'AbortError' };
  const noResponse = { code: 'ECONNRESET', message: 'connection closed without a response' };
  const longBody = 'x'.repeat(8 * 1024 * 1024);
  const reset: Reply = (response) => response.destroy();
  const malformedHead: Reply = ({ socket }) => socket?.end('HTTP/1.1 OK\r\n\r\n');
  const switchedProtocols: Reply = ({ socket }) =>
    socket?.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n');
  const cutOff: Reply = (response) =>
    response.writeHead(200, { 'content-length': '9' }).write('{', () => response.destroy());
  test.each<[string, Reply, Partial<HttpRequest>, object]>([
    ['nobody listens', ok, { port: 1 }, { code: 'ECONNREFUSED' }],
    ['https is TLS', ok, { protocol: 'https:' }, { code: 'EPROTO' }],
    ['an IPv6 address has no brackets', ok, { hostname: '[::1]', port: 1 }, { address: '::1' }],
    ['the connection is reset', reset, {}, { code: 'ECONNRESET' }],
    ['the protocol is switched', switchedProtocols, {}, noResponse],
    ['a head is malformed', malformedHead, {}, { code: expect.stringMatching(/^HPE_/) }],
    ['a body is cut off', cutOff, {}, { code: 'ECONNRESET' }],
    ['a body has more than 8 MiB', textReply(`${longBody}x`), {}, { code: 'ERR_RESPONSE_TOO_LARGE' }],
  ])('ends with an error: %s', async (_, reply, overrides, error) => {
    const { send } = await connect([reply]);
    await expect(send(overrides)).rejects.toMatchObject(error);
  });

  test('uses a connection again, and reads a body of 8 MiB', async () => {
    const { send, received } = await connect([ok, textReply(longBody)]);
    await send();
    expect(await send()).toMatchObject({ body: longBody });
    expect(received[1]?.socket).toBe(received[0]?.socket);
  });

  /** Finds no address for a name. */
  const lookUp = (meanwhile: () => unknown) =>
    vi.spyOn(dns, 'lookup').mockImplementation(() => void setImmediate(meanwhile));

  test('limits the time to connect, but not the time to respond', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const slow: Reply = (response) => {
      vi.advanceTimersByTime(300);
      response.end('slow');
    };
    const { send } = await connect([slow]);
    expect(await send()).toMatchObject({ body: 'slow' });
    await expect(send({ port: 1 })).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    while (vi.getTimerCount() > 0) await new Promise(setImmediate);

    lookUp(() => vi.advanceTimersByTime(300));
    const error = { name: 'TimeoutError', message: 'no connection within 300 ms' };
    await expect(send({ hostname: 'table.example' })).rejects.toMatchObject(error);
  });

  test('does not limit the time to connect without that option', async () => {
    const { send } = await connect([ok], {});
    const controller = new AbortController();
    lookUp(() => controller.abort());
    await expect(send({ hostname: 'table.example' }, controller.signal)).rejects.toMatchObject(abortError);
  });

  test('ends at once when it is aborted: before it is sent, before the response or in its body', async () => {
    const [first, second] = [new AbortController(), new AbortController()];
    const { send, sendHead, received } = await connect([
      () => first.abort('late'),
      (response) => response.writeHead(200).write('{'),
    ]);
    await expect(send({}, AbortSignal.abort())).rejects.toMatchObject(abortError);
    expect(received).toEqual([]);
    await expect(send({}, first.signal)).rejects.toMatchObject({ ...abortError, cause: 'late' });
    const { body } = await sendHead({}, second.signal);
    const collected = expect(streamCollector(body)).rejects.toMatchObject({ code: 'ECONNRESET' });
    second.abort();
    await collected;
  });

  test('removes its listener from the signal when the request is over', async () => {
    const { send } = await connect([ok]);
    const { signal } = new AbortController();
    const removed = new Promise((resolve) => {
      signal.removeEventListener = (...listener: unknown[]) => resolve(listener);
    });
    await send({}, signal);
    expect(await removed).toEqual(['abort', expect.any(Function)]);
  });
});

describe('Sha256', () => {
  const abc = new TextEncoder().encode('-abc-');
  const hashOfAbc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
  const hmacOfJefe = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843';
  const emptySecretHmac = 'b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad';
  test.each([
    ['of text (FIPS 180-4)', undefined, ['abc'], hashOfAbc],
    ['of a part of a buffer', undefined, [abc.subarray(1, 4)], hashOfAbc],
    ['of a whole buffer', undefined, [abc.slice(1, 4).buffer], hashOfAbc],
    ['with a secret (RFC 4231, case 2)', 'Jefe', ['what do ya want ', 'for nothing?'], hmacOfJefe],
    ['with a secret in bytes', Buffer.from('Jefe'), ['what do ya want for nothing?'], hmacOfJefe],
    ['with an empty secret', '', [], emptySecretHmac],
  ])('is the hash %s', async (_, secret, parts, hex) => {
    const hash = new Sha256(secret);
    for (const part of parts) hash.update(part);
    expect(Buffer.from(await hash.digest()).toString('hex')).toBe(hex);
  });

  test('signs a call as the SDK does', async () => {
    const { endpoint, received } = await startServer((response) => response.end('{}'));
    for (const [name, value] of Object.entries(settingsFor(endpoint))) vi.stubEnv(name, value);
    vi.setSystemTime('2026-11-21T00:00:00Z');
    for (const options of [{}, { sha256: Sha256 }]) {
      const client = new DynamoDBClient(options);
      // It would add a random id to the headers, which are signed.
      const place = { name: 'retryMiddleware', step: 'finalizeRequest', priority: 'high' } as const;
      client.middlewareStack.add((next) => next, { ...place, override: true });
      await client.send(new ListTablesCommand({}));
      client.destroy();
    }
    const [theirs, ours] = received.map(({ headers }) => headers.authorization);
    expect(ours).toMatch(/^AWS4-HMAC-SHA256 Credential=local\/20261121\/local-1\/dynamodb\/aws4_request, /);
    expect(ours).toBe(theirs);
  });
});

test('credentials are read from the environment, once', async () => {
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

test('nothing is looked up: no endpoint and no file', async () => {
  const config = { region: 'local-1' };
  expect(discovery.resolveEndpointDiscoveryConfig(config)).toBe(config);
  const options = discovery.NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS;
  expect([options.environmentVariableSelector(), options.configFileSelector()]).toEqual([
    undefined,
    undefined,
  ]);
  await expect(readFile('.aws/config')).rejects.toMatchObject({ code: 'ENOENT' });
});

test.each([
  [EventStreamSerde, 'event streams are left out of this bundle (docs/decisions/006)'],
  [eventStreamSerdeProvider, 'event streams are left out of this bundle (docs/decisions/006)'],
  [Crc32, 'CRC-32 is left out of this bundle (docs/decisions/006)'],
])('what is left out says so: %o', (use, message) => {
  expect(use).toThrow(message);
});
