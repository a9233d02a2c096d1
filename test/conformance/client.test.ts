import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createClient } from './http/client.ts';

let close: () => void = () => undefined;
afterEach(() => close());

/** A server of bare bytes: what each connection does with the requests that come over it, and all it received. */
const startServer = async (onRequest: (socket: Socket, countOnSocket: number) => void) => {
  const received: string[] = [];
  const server = createServer((socket) => {
    let count = 0;
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      received.push(bytes.toString('latin1'));
      count += 1;
      onRequest(socket, count);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const client = createClient(new URL(`http://127.0.0.1:${port}/dev/`));
  close = () => {
    client.close();
    server.close();
  };
  return { client, received, port };
};

const request = { method: 'PATCH', path: '/v1', headers: ['A', '1', 'a', '2', 'content-length', '2'] };
const body = Buffer.from('{}');
const ok = 'HTTP/1.1 200 OK\r\nX-One: 1\r\nx-one: 2\r\ncontent-length: 2\r\n\r\nok';
const answer = { status: 200, headers: { 'x-one': '1, 2', 'content-length': '2' }, text: 'ok' };

test('a request goes out as it is written, below the prefix; repeated headers come back joined', async () => {
  const { client, received, port } = await startServer((socket) => socket.write(ok));
  expect(await client.send({ ...request, body })).toStrictEqual(answer);
  expect(received.join('')).toBe(
    `PATCH /dev/v1 HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nA: 1\r\na: 2\r\ncontent-length: 2\r\n` +
      'Connection: keep-alive\r\n\r\n{}',
  );
});

test('a kept connection that the server has closed is opened again', async () => {
  const { client, received } = await startServer((socket, count) => {
    if (count === 1) socket.write(ok);
    else socket.destroy();
  });
  expect(await client.send({ ...request, body })).toStrictEqual(answer);
  expect(await client.send({ ...request, body })).toStrictEqual(answer);
  expect(received).toHaveLength(3);
  expect(client.isGone()).toBe(false);
});

test('a server that hangs up three times in a row is gone', async () => {
  const { client } = await startServer((socket) => socket.destroy());
  const gone: boolean[] = [];
  for (let turn = 0; turn < 3; turn += 1) {
    expect(await client.send({ ...request, body })).toStrictEqual({ status: 0, reason: 'socket hang up' });
    gone.push(client.isGone());
  }
  expect(gone).toStrictEqual([false, false, true]);
});
