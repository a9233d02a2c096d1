import dns from 'node:dns';
import { expect, test, vi } from 'vitest';
import { NodeHttpHandler } from '#lib/runtime/shims/request-handler.ts';
import { startPeer } from './support/peer.ts';

const peer = startPeer();

test('nobody listens: the error of the connection', async () => {
  await expect(peer.send({ port: 1 })).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

test('a connection that does not come about in time: an error that the SDK calls transient', async () => {
  vi.spyOn(dns, 'lookup').mockImplementation(() => undefined);
  peer.handler = NodeHttpHandler.create({ connectionTimeout: 20 });
  await expect(peer.send({ hostname: 'table.example' })).rejects.toMatchObject({
    name: 'TimeoutError',
    message: 'no connection within 20 ms',
  });
});

test('without a limit on connecting the signal is the only one', async () => {
  vi.spyOn(dns, 'lookup').mockImplementation(() => undefined);
  peer.handler = NodeHttpHandler.create({});
  const sent = peer.send({ hostname: 'table.example' }, AbortSignal.timeout(50));
  await expect(sent).rejects.toMatchObject({ name: 'AbortError', cause: { name: 'TimeoutError' } });
});

test('aborted before it is sent: nothing is sent', async () => {
  await expect(peer.send({}, AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
  expect(peer.received).toEqual([]);
});

test('aborted before the reply, and in the middle of it: both end at once', async () => {
  const limits = new AbortController();
  peer.answer = () => limits.abort();
  await expect(peer.send({}, limits.signal)).rejects.toMatchObject({ name: 'AbortError' });

  const later = new AbortController();
  peer.answer = (_, response) => void response.writeHead(200).write('{"Attr');
  const { text } = await peer.send({}, later.signal);
  const body = text();
  later.abort();
  await expect(body).rejects.toMatchObject({ code: 'ECONNRESET' });
});

test('a reply that is cut off: the error of the connection, not half a reply', async () => {
  peer.answer = (_, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('{"Attr', () => response.destroy());
  };
  const { text } = await peer.send();
  await expect(text()).rejects.toMatchObject({ code: 'ECONNRESET' });
});

test('a signal leaves no listener behind once its request is over', async () => {
  const { signal } = new AbortController();
  const remove = vi.spyOn(signal, 'removeEventListener');
  await (await peer.send({}, signal)).text();
  await vi.waitFor(() => expect(remove).toHaveBeenCalledTimes(1));
});
