import { expect, test } from 'vitest';
import { updateFile } from '#handlers/update-file.ts';
import { uptimeMs } from '#lib/context.ts';
import { createPrime } from '#lib/runtime/prime.ts';
import { createRehearseWrite } from '#lib/store/update-file.ts';
import { createStore } from '#lib/runtime/deps.ts';
import { aFile, anApiKey, aSpace, NOW } from '#test/support/given.ts';
import { openTables } from '#test/support/tables.ts';
import { tapped } from '#test/support/tap.ts';

const lines: string[] = [];
const deps = { now: () => NOW, newId: () => 'request-1', log: (line: string) => void lines.push(line) };

test('priming reads once, writes nothing and leaves no line in the log', async () => {
  const tables = await openTables('prime');
  // Even where the stranger's key, tenant, space and file exist.
  const ids = { tenantId: '-', spaceId: '-' };
  await tables.putApiKey(anApiKey({ key: '-', ...ids }));
  await tables.putSpace(aSpace({ ...ids, ownerId: '-' }));
  await tables.putFile(aFile({ spaceId: '-', fileId: '-' }));
  const before = await tables.everything();

  const { client, calls } = tapped(tables.client);
  const storeDeps = { client, config: tables.config, now: () => NOW, random: () => 0 };
  const store = createStore(storeDeps);
  const rehearseWrite = createRehearseWrite(storeDeps);
  await createPrime(updateFile({ ...deps, store: () => store }), { ...deps, rehearseWrite })();
  // The second is aborted before it is sent.
  expect(calls()).toEqual(['BatchGetCommand', 'UpdateCommand']);
  expect(await tables.everything()).toEqual(before);
  expect(lines).toEqual([]);
});

test('what goes wrong while priming stays there', async () => {
  const failing = () => Promise.reject(new Error('not set: FILES_TABLE'));
  await expect(createPrime(failing, { ...deps, rehearseWrite: failing })()).resolves.toBeUndefined();

  const broken = () => {
    throw new Error('no clock');
  };
  const nothingWorks = { ...deps, now: broken, newId: broken, rehearseWrite: broken };
  await expect(createPrime(broken, nothingWorks)()).resolves.toBeUndefined();
});

test('a step that fails keeps none of the others from being made', async () => {
  const rehearsed: unknown[] = [];
  const rehearseWrite = async (patch: unknown) => void rehearsed.push(patch);
  await createPrime(() => Promise.reject(new Error('refused')), { ...deps, rehearseWrite })();
  expect(rehearsed).toEqual([{ summary: '-', documentKind: null }]);
});

test('priming has a second', async () => {
  let left = 0;
  await createPrime(
    async ({ call }) => {
      left = call.deadline - uptimeMs();
    },
    { ...deps, rehearseWrite: async () => undefined },
  )();
  expect(Math.ceil(left / 100)).toBe(10);
});
