import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Server } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { askForUnits, createCounter } from './counter.ts';
import { createForward } from './forward.ts';
import { type Settings, SettingsSchema } from './messages.ts';

// A child that pauses between two calls must find its connection open, as it would at DynamoDB.
const keepAliveTimeout = 60_000;

const counter = createCounter();

const createAnswer = ({ engine, callMs, counting }: Settings) => {
  const forward = createForward(engine);
  return async (request: IncomingMessage, response: ServerResponse) => {
    const startedAt = performance.now();
    const body = await buffer(request);
    const reply = await forward(request.headers, counting ? askForUnits(body) : body);
    if (counting) counter.count(String(request.headers['x-amz-target']), reply.body);
    const left = callMs - (performance.now() - startedAt);
    // Timers are late by half a millisecond on average.
    if (left > 0.5) await sleep(left - 0.5);
    response.writeHead(reply.status, reply.headers).end(reply.body);
  };
};

const listen = async (server: Server): Promise<number> => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the listener has no port');
  return address.port;
};

process.once('message', async (message) => {
  const settings = SettingsSchema.parse(message);
  const answer = createAnswer(settings);
  const { certificate } = settings;
  const server = certificate
    ? createTlsServer({ ...certificate, keepAliveTimeout }, answer)
    : createServer({ keepAliveTimeout }, answer);
  process.send?.({ port: await listen(server) });
  process.on('message', () => process.send?.(counter.take()));
});
process.once('disconnect', () => process.exit());
