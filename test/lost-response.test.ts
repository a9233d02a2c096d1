import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, inject, test, vi } from 'vitest';
import type { ApiResponse } from '#lib/http/responses.ts';
import { buildBundle } from '#tools/build/bundle.ts';
import { settingsFor } from './support/endpoint.ts';
import { aContext, anEvent } from './support/event.ts';
import { FILE_ID } from './support/given.ts';
import { temporaryFolder } from './support/processes.ts';
import { forwardTo, loseReplyOf, startServer } from './support/server.ts';
import { openTables } from './support/tables.ts';

/*
 * The history of decision 001 on the real engine: the response to A is lost, B and C write, then A is sent again. test/simulation
 * searches all such histories.
 */
const folder = temporaryFolder();
const tables = await openTables('lost-response');
const file = join(folder.path, 'update-file.cjs');
beforeAll(() => buildBundle({ file }));
beforeEach(async () => {
  await tables.putGiven();
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterAll(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  folder.remove();
});

type Instance = { readonly handler: (event: never, context: never) => Promise<ApiResponse> };
const require = createRequire(import.meta.url);
const loadSource = async (): Promise<Instance> => {
  vi.resetModules();
  return import('#handlers/update-file.ts');
};
const loadBundle = async (): Promise<Instance> => {
  delete require.cache[file];
  return require(file);
};

test.each([
  ['the source', loadSource],
  ['the deployed bundle', loadBundle],
])('%s: a write whose response was lost has no second effect', async (_, load) => {
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
    for (const [name, value] of Object.entries({ ...settingsFor(endpoint), ...tables.names }))
      vi.stubEnv(name, value);
    const { handler } = await load();
    return async (patch: object) => {
      const event = anEvent({ body: JSON.stringify(patch) });
      const { statusCode, body } = await Reflect.apply(handler, undefined, [event, aContext()]);
      const { summary, documentKind, message } = JSON.parse(body);
      return { statusCode, summary, documentKind, message };
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
  expect(await responseToA).toEqual({ statusCode: 503, message: 'Service Unavailable' });
  const { summary, documentKind } = { ...(await tables.getFile('handbook', FILE_ID)) };
  expect({ summary, documentKind }).toEqual({ summary: 'C', documentKind: 'B' });
});
