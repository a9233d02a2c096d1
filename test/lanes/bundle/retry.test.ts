import { Agent } from 'node:https';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createDynamoDBClient } from '#lib/runtime/dynamodb-client.ts';
import { createRetry } from '#lib/store/retry.ts';
import { stubSettings, updateBy } from '#test/support/client.ts';
import { brokenReplies, jsonReply, type Reply, startServer } from '#test/support/server.ts';
import { aRequestContext, createTestSystem } from '#test/support/system.ts';
import { spoiledRecords, startTls } from '#test/support/tls.ts';

/*
 * What Node throws when a connection fails, and whether the call is sent again. test/unit/retry.test.ts has the errors that
 * need no socket.
 */
const ok = jsonReply('{}');

// No timer fires by itself, so the limit for connecting is none of the machine's.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});

/** How a client calls this address, and what the retry loop makes of its next call. */
const createCaller = (endpoint: string, ca?: string) => {
  stubSettings(endpoint);
  const httpsAgent = new Agent({ keepAlive: true, ...(ca !== undefined && { ca }) });
  const client = createDynamoDBClient({ requestHandler: { httpsAgent } });
  onTestFinished(() => client.destroy());
  const update = updateBy(client);
  return {
    update,
    retried: async () => {
      const { retry } = createRetry(createTestSystem());
      const context = aRequestContext();
      const { outcomeUnknown: error } = await retry((signal) => update('a', signal), context).catch(
        (outcomeUnknown: unknown) => ({ outcomeUnknown }),
      );
      return { code: Object(error).code, retries: context.logFields.retries };
    },
  };
};

test.each([
  ['cannot be decrypted', 'ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC'],
  ['is too long', 'ERR_SSL_ENCRYPTED_LENGTH_TOO_LONG'],
  ['has an unknown type', 'ERR_SSL_BAD_RECORD_TYPE'],
] as const)(
  'a record of TLS that %s is retried, on each connection and in a handshake',
  async (kind, code) => {
    const spoiled: Reply = (_, request) => tls.spoilResponse(request, spoiledRecords[kind]);
    const { port } = await startServer(ok, spoiled, ok, ok, spoiled, ok);
    const tls = await startTls(port);
    const warm = createCaller(tls.endpoint, tls.cert);
    await warm.update();
    expect(await warm.retried()).toEqual({ code, retries: 1 });

    tls.spoilHandshake(spoiledRecords[kind]);
    expect(await createCaller(tls.endpoint, tls.cert).retried()).toEqual({ code: 'EPROTO', retries: 1 });
    expect(await createCaller(tls.endpoint, tls.cert).retried()).toEqual({ code, retries: 1 });
  },
);

test('a record that was changed on its way to the server is retried', async () => {
  const { port, received } = await startServer((response, request) => {
    if (received.length === 1) tls.spoilRequest();
    return ok(response, request);
  });
  const tls = await startTls(port);
  const { update, retried } = createCaller(tls.endpoint, tls.cert);
  await update();
  expect(await retried()).toEqual({ code: 'ERR_SSL_SSL/TLS_ALERT_BAD_RECORD_MAC', retries: 1 });
});

test.each<[string, Reply, string]>([
  ['that ends without a response', brokenReplies.reset, 'ECONNRESET'],
  ['that ends in the middle of a response', brokenReplies.cutOff, 'ECONNRESET'],
  ['whose response is no HTTP', (_, { socket }) => socket.end('SSH-2.0-x\r\n'), 'HPE_INVALID_CONSTANT'],
])('a connection %s is retried', async (_, reply, code) => {
  const { endpoint } = await startServer(reply, ok);
  expect(await createCaller(endpoint).retried()).toEqual({ code, retries: 1 });
});

test('a server without TLS is retried until the retries are used up', async () => {
  const { port } = await startServer(ok);
  expect(await createCaller(`https://127.0.0.1:${port}`).retried()).toEqual({
    code: 'unavailable',
    retries: 100,
  });
});

test('a certificate that is not trusted, or is of another name, is not retried', async () => {
  const { port } = await startServer(ok);
  const { endpoint, cert } = await startTls(port);
  expect(await createCaller(endpoint).retried()).toEqual({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT', retries: 0 });
  const otherName = endpoint.replace('127.0.0.1', 'localhost');
  expect(await createCaller(otherName, cert).retried()).toEqual({
    code: 'ERR_TLS_CERT_ALTNAME_INVALID',
    retries: 0,
  });
});
