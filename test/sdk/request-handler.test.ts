import { expect, test } from 'vitest';
import { startPeer } from './support/peer.ts';

const peer = startPeer();

test('a request arrives as it is, and its reply comes back with status, reason, headers and body', async () => {
  peer.answer = (_, response) => {
    response.writeHead(400, 'Bad', { 'x-one': '1', 'set-cookie': ['a', 'b'] }).end('é'.repeat(100_000));
  };
  const { response, text } = await peer.send({ path: '/path', query: { a: 'b c', d: ['1', '2'] } });
  const { statusCode, reason, headers } = response;
  expect({ statusCode, reason, headers }).toMatchObject({
    statusCode: 400,
    reason: 'Bad',
    headers: { 'x-one': '1', 'set-cookie': 'a,b' },
  });
  expect(await text()).toBe('é'.repeat(100_000));
  expect(peer.received).toMatchObject([
    {
      method: 'POST',
      url: '/path?a=b%20c&d=1&d=2',
      header: 'DynamoDB_20120810.UpdateItem',
      body: '{"TableName":"files"}',
    },
  ]);
});

test('one connection carries one request after the other', async () => {
  await (await peer.send()).text();
  await (await peer.send()).text();
  expect(peer.received[1]?.socket).toBe(peer.received[0]?.socket);
  expect(peer.received.map(({ url }) => url)).toEqual(['/', '/']);
});

test('https speaks TLS, and an IPv6 address in a URL is one to the socket', async () => {
  await expect(peer.send({ protocol: 'https:' })).rejects.toMatchObject({ code: 'EPROTO' });
  await expect(peer.send({ hostname: '[::1]', port: 1 })).rejects.toMatchObject({ address: '::1' });
});

test('what the SDK asks of a handler beside: nothing changes it', () => {
  peer.handler.updateHttpClientConfig('connectionTimeout', 1);
  expect(peer.handler.httpHandlerConfigs()).toEqual({ connectionTimeout: 300 });
  expect(peer.handler.metadata).toEqual({ handlerProtocol: 'http/1.1' });
});
