import { beforeEach, expect, inject, test, vi } from 'vitest';
import { aContext, anEvent } from './support/event.ts';
import { FILE_ID } from './support/given.ts';
import { instanceLoaders, stubSettings } from './support/instances.ts';
import { forwardTo, loseReplyOf, startServer } from './support/server.ts';
import { openTables } from './support/tables.ts';

/*
 * The history of decision 001 on the real engine: the response to A is lost, B and C write, then A is sent again. test/simulation
 * searches all such histories.
 */
const tables = await openTables('lost-response');
beforeEach(async () => {
  await tables.putGiven();
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});

test.each(instanceLoaders())('%s: a write whose response was lost has no second effect', async (_, load) => {
  const engine = inject('endpoint');
  const [lost, others] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const proxy = await startServer(
    forwardTo(engine),
    async (...call) => {
      await loseReplyOf(engine)(...call);
      lost.resolve();
    },
    async (...call) => {
      await others.promise;
      await forwardTo(engine)(...call);
    },
  );
  const open = async (endpoint: string) => {
    stubSettings(endpoint, tables);
    const { handler } = await load();
    return async (patch: object) => {
      const event = anEvent({ body: JSON.stringify(patch) });
      const { statusCode, headers, body } = await handler(event, aContext());
      const { summary, documentKind, message } = JSON.parse(body);
      return { statusCode, summary, documentKind, message, replayed: headers['idempotency-replayed'] };
    };
  };

  const sendA = await open(proxy.endpoint);
  const responseToA = sendA({ summary: 'A' });
  await lost.promise;
  const send = await open(engine);
  expect([await send({ documentKind: 'B' }), await send({ summary: 'C' })]).toEqual([
    { statusCode: 200, summary: 'A', documentKind: 'B' },
    { statusCode: 200, summary: 'C', documentKind: 'B' },
  ]);
  others.resolve();
  // The file remembers the first write of A: it is not written again.
  expect(await responseToA).toEqual({ statusCode: 200, summary: 'C', documentKind: 'B', replayed: 'true' });
  const { summary, documentKind } = { ...(await tables.getFile('handbook', FILE_ID)) };
  expect({ summary, documentKind }).toEqual({ summary: 'C', documentKind: 'B' });
});
