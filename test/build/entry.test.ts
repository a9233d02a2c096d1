import { cp, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import { anEvent } from '#test/support/event.ts';
import { aFile, aFileView, anApiKey, aSpace } from '#test/support/given.ts';
import { openTables, type Tables } from '#test/support/tables.ts';
import { buildBundle } from '#tools/build/bundle.ts';
import { defaultOptimizations } from '#tools/build/optimizations.ts';
import { startLambda } from './support/start-lambda.ts';

let folder: string;
let cache: string;
let tables: Tables;
const bundleIn = (name: string) => join(folder, name, 'update-file.cjs');
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'space-files-'));
  await buildBundle({ file: bundleIn('primed') });
  const { files } = await buildBundle({
    file: bundleIn('cached'),
    optimizations: [...defaultOptimizations, 'code-cache'],
  });
  cache = files.at(-1) ?? '';
  tables = await openTables('entry');
  await Promise.all([tables.putApiKey(anApiKey()), tables.putSpace(aSpace()), tables.putFile(aFile())]);
});
afterAll(() => rm(folder, { recursive: true }));

/** The engine, out of reach until it is opened, and what it was asked. */
const calls: string[] = [];
let isOpen = true;
const door = createServer((incoming, outgoing) => {
  calls.push(String(incoming.headers['x-amz-target']).split('.')[1] ?? '');
  if (!isOpen) return void outgoing.destroy();
  const { method, headers } = incoming;
  incoming.pipe(
    request(inject('endpoint'), { method, headers }, (reply) => {
      outgoing.writeHead(reply.statusCode ?? 0, reply.headers);
      reply.pipe(outgoing);
    }),
  );
});
beforeAll(() => new Promise<void>((resolve) => void door.listen(0, '127.0.0.1', resolve)));
afterAll(() => void door.close());

const running: Awaited<ReturnType<typeof startLambda>>[] = [];
afterEach(() => Promise.all(running.splice(0).map(({ stop }) => stop())));
const start = async (file: string) => {
  calls.length = 0;
  const lambda = await startLambda(file, {
    AWS_ENDPOINT_URL_DYNAMODB: `http://127.0.0.1:${(door.address() as AddressInfo).port}`,
    AWS_REGION: 'local-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    API_KEYS_TABLE: tables.config.apiKeysTable,
    SPACES_TABLE: tables.config.spacesTable,
    FILES_TABLE: tables.config.filesTable,
  });
  running.push(lambda);
  return lambda;
};

const updated = { statusCode: 200, body: JSON.stringify(aFileView({ summary: 'New.' })) };
const update = ['BatchGetItem', 'UpdateItem'];

test('the bundle alone makes no call before its first request', async () => {
  const lambda = await start(bundleIn('primed'));
  expect(calls).toEqual([]);
  expect(await lambda.send(anEvent())).toMatchObject(updated);
  expect(calls).toEqual(update);
});

test('the primed one has read once when it is loaded, and answers the same', async () => {
  const lambda = await start(bundleIn('primed').replace(/cjs$/, 'mjs'));
  expect(calls).toEqual(['BatchGetItem']);
  expect(await lambda.send(anEvent())).toMatchObject(updated);
  expect(calls).toEqual(['BatchGetItem', ...update]);
});

test('out of reach while it is loaded, DynamoDB answers the first request as usual', async () => {
  isOpen = false;
  const lambda = await start(bundleIn('primed').replace(/cjs$/, 'mjs'));
  expect(new Set(calls)).toEqual(new Set(['BatchGetItem']));
  isOpen = true;
  calls.length = 0;
  expect(await lambda.send(anEvent())).toMatchObject(updated);
  expect(calls).toEqual(update);
});

test('with compiled code beside it, it answers the same', async () => {
  const lambda = await start(bundleIn('cached').replace(/cjs$/, 'mjs'));
  expect(await lambda.send(anEvent())).toMatchObject(updated);
});

test('compiled code that is spoilt, or for another Node, is as good as none', async () => {
  const spoilt = bundleIn('spoilt');
  await cp(dirname(cache), dirname(spoilt), { recursive: true });
  const copy = cache.replace(dirname(cache), dirname(spoilt));
  await writeFile(copy, 'nothing that V8 would take');
  expect(await (await start(spoilt.replace(/cjs$/, 'mjs'))).send(anEvent())).toMatchObject(updated);
  await rename(copy, copy.replace(process.version, 'v0.0.0'));
  expect(await (await start(spoilt.replace(/cjs$/, 'mjs'))).send(anEvent())).toMatchObject(updated);
});
