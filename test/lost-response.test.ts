import { randomUUID } from 'node:crypto';
import { expect, inject, test } from 'vitest';
import { startFaultProxy } from './process/fault-proxy.ts';
import { laneEvent, type Overrides, openLanes, startFunction } from './process/harness.ts';
import { forward } from './support/server.ts';
import { startService } from './support/service.ts';
import { openClient } from './support/tables.ts';

/*
 * The history of decision 001 on the real engine: the response to A is lost, B and C write, then A is sent again.
 * test/simulation searches all such histories.
 */
type Tables = Awaited<ReturnType<typeof openLanes>>;
const startSource = async ({ config }: Tables, endpoint: string) => {
  const { send } = startService({ client: openClient(endpoint), config }, { newId: randomUUID });
  return { send: (lane: number, overrides: Overrides) => send(laneEvent(lane, overrides)) };
};

test.each([
  ['the source', startSource],
  ['the deployed bundle', startFunction],
])('%s: a write whose response was lost has no second effect', async (_, start) => {
  const [lost, others] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const tables = await openLanes(1);
  const proxy = await startFaultProxy();
  proxy.fail(0, 'write', async (response, request) => {
    proxy.fail(0, 'write', async (...call) => {
      await others.promise;
      await forward(...call);
    });
    await request.deliver();
    response.destroy();
    lost.resolve();
  });
  const open = async (endpoint: string) => {
    const instance = await start(tables, endpoint);
    return async (patch: object) => {
      const { statusCode, body } = await instance.send(0, { body: JSON.stringify(patch) });
      const { summary, documentKind, message } = JSON.parse(body);
      return { statusCode, summary, documentKind, message };
    };
  };
  const [sendA, send] = [await open(proxy.endpoint), await open(inject('endpoint'))];

  const responseToA = sendA({ summary: 'A' });
  await lost.promise;
  expect([await send({ documentKind: 'B' }), await send({ summary: 'C' })]).toEqual([
    { statusCode: 200, summary: 'A', documentKind: 'B' },
    { statusCode: 200, summary: 'C', documentKind: 'B' },
  ]);
  others.resolve();
  expect(await responseToA).toEqual({ statusCode: 503, message: 'Service Unavailable' });
  expect(await tables.getFile(0)).toMatchObject({ summary: 'C', documentKind: 'B' });
});
