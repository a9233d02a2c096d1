import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeAll, expect, test } from 'vitest';
import { engineBinary, freePort, spawnBound } from '#tools/dev-server/engine.ts';
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';
import {
  cleanups,
  folder,
  idsOf,
  type Lanes,
  laneEvent,
  openLanes,
  recordOf,
  scale,
  startFunction,
  tenantOf,
} from './harness.ts';

let lanes: Lanes;
let proxy: FaultProxy;
beforeAll(async () => {
  lanes = await openLanes(20);
  proxy = await startFaultProxy();
});

const bodyOf = (patch: object) => ({ body: JSON.stringify(patch) });

test.each([
  { name: 'before its write arrives', lane: 0, isApplied: false },
  { name: 'between its write and the reply', lane: 1, isApplied: true },
])('a function killed $name leaves the file as it was, or wholly changed', async ({ lane, isApplied }) => {
  const doomed = await startFunction(lanes, proxy.endpoint);
  const arrived = Promise.withResolvers<void>();
  proxy.fail(idsOf(lane).spaceId, 'write', async (exchange) => {
    if (isApplied) await exchange.deliver();
    arrived.resolve();
  });
  const patch = { summary: 'Last words.', documentKind: 'memo' };
  const response = doomed.send(laneEvent(lane, bodyOf(patch)));
  const end = expect(response).rejects.toThrow('the process has ended');
  await arrived.promise;
  await doomed.kill();
  await end;
  const metadata = {
    version: expect.any(Number),
    requestId: expect.any(String),
    updatedBy: `user-of-${tenantOf(lane)}`,
  };
  expect(await lanes.getFile(lane)).toEqual({
    ...recordOf(lane),
    ...(isApplied && { ...patch, ...metadata }),
  });
  proxy.heal();
  const next = await startFunction(lanes, proxy.endpoint);
  expect(await next.send(laneEvent(lane))).toMatchObject({ statusCode: 200 });
});

test.each([
  { how: 'end', lane: 2 },
  { how: 'reset', lane: 3 },
  { how: 'silence', lane: 4 },
] as const)('thawed with dead connections ($how): the next requests succeed', async ({ how, lane }) => {
  const own = await startFaultProxy();
  const instance = await startFunction(lanes, own.endpoint);
  const statusOf = async () => (await instance.send(laneEvent(lane))).statusCode;
  const warm = await statusOf();
  instance.child.kill('SIGSTOP');
  expect(own.disconnect(how)).toBeGreaterThan(0);
  // The function reads the request in the same turn of its event loop as the end of its connections.
  const sentInSleep = statusOf();
  instance.child.kill('SIGCONT');
  expect([warm, await sentInSleep, await statusOf()]).toEqual([200, 200, 200]);
});

test('an engine killed at work and opened again holds every acknowledged write, and no mix of two', async () => {
  const port = await freePort();
  const address = ['--host', '127.0.0.1', '--port', `${port}`];
  const args = ['serve', ...address, '--db-path', join(folder, 'engine.db')];
  const open = async () => {
    const engine = spawnBound(engineBinary(), args);
    for await (const line of createInterface({ input: engine.child.stderr ?? expect.unreachable() }))
      if (line.includes('listening on')) break;
    engine.child.stderr?.resume();
    return engine;
  };
  let engine = await open();
  cleanups.push(() => engine.stop());
  const stored = await openLanes(4, `http://127.0.0.1:${port}`);
  const own = await startFaultProxy(`http://127.0.0.1:${port}`);
  const instance = await startFunction(stored, own.endpoint);

  let acknowledged = 0;
  let kills = 0;
  const writers = [0, 1, 2, 3].map(async (lane) => {
    const writer = { sent: 0, last: 0 };
    while (kills < 3 * scale) {
      const n = `${++writer.sent}`;
      const { statusCode, body } = await instance.send(
        laneEvent(lane, bodyOf({ summary: n, documentKind: n })),
      );
      expect([200, 503]).toContain(statusCode);
      if (statusCode !== 200) continue;
      expect(JSON.parse(body)).toMatchObject({ summary: n, documentKind: n });
      writer.last = writer.sent;
      acknowledged += 1;
    }
    return writer;
  });
  const killAndReopen = async () => {
    for (let target = 30; kills < 3 * scale; target = acknowledged + 30) {
      await expect.poll(() => acknowledged, { timeout: 20_000, interval: 1 }).toBeGreaterThan(target);
      engine.child.kill('SIGKILL');
      await engine.exited;
      engine = await open();
      kills += 1;
    }
  };
  const [, ...results] = await Promise.all([killAndReopen(), ...writers]);
  for (const [lane, { sent, last }] of results.entries()) {
    const { summary, documentKind, version, requestId, ...file } = await stored.getFile(lane);
    expect(file).toMatchObject({ tags: recordOf(lane).tags, language: 'en' });
    expect(documentKind).toBe(summary);
    expect(Number(summary)).toBeGreaterThanOrEqual(last);
    expect(Number(summary)).toBeLessThanOrEqual(sent);
  }
});

test('two processes that write one file lose no update', async () => {
  const lane = 5;
  const instances = await Promise.all([1, 2].map(() => startFunction(lanes)));
  const writes = instances.flatMap((instance, process) =>
    [1, 2, 3, 4].map(async (writer) => {
      const results = [];
      for (let n = 0; n < 12 * scale; n += 1) {
        const patch = { [n % 2 ? 'summary' : 'documentKind']: `${process} ${writer} ${n}` };
        const { statusCode, headers, body } = await instance.send(laneEvent(lane, bodyOf(patch)));
        expect(statusCode).toBe(200);
        results.push({ version: Number(headers['etag']?.slice(1, -1)), patch, file: JSON.parse(body) });
      }
      return results;
    }),
  );
  const results = (await Promise.all(writes)).flat().toSorted((a, b) => a.version - b.version);
  let file = { summary: recordOf(lane).summary, documentKind: null };
  for (const result of results) {
    file = { ...file, ...result.patch };
    expect(result.file).toMatchObject(file);
  }
  expect(new Set(results.map(({ version }) => version)).size).toBe(results.length);
  expect(await lanes.getFile(lane)).toMatchObject({ ...file, version: results.at(-1)?.version });
});
