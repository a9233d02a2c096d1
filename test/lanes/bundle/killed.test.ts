import { once } from 'node:events';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Reply } from '#test/support/server.ts';
import { findEngine, freeAddress, spawnBound } from '#tools/dev-server/engine.ts';
import { startFaultProxy } from './fault-proxy.ts';
import { judge, observe } from './judge.ts';
import { buildFunction, newSummary, openSpaces, startFunction } from './lambda-function.ts';

const folder = buildFunction();

test.each(['end', 'resetAndDestroy'] as const)(
  'a thawed function whose connections are dead (%s) serves the next requests',
  async (how) => {
    const proxy = await startFaultProxy();
    const instance = await startFunction(await openSpaces(3), proxy.endpoint);
    const statuses = () =>
      Promise.all([0, 1, 2].map(async (space) => (await instance.send(space)).response.statusCode));
    const warm = await statuses();
    instance.child.kill('SIGSTOP');
    expect(proxy.disconnect(how)).toBeGreaterThan(0);
    // The function reads the requests in the same turn of its event loop as the end of its connections.
    const sentInSleep = statuses();
    instance.child.kill('SIGCONT');
    expect([warm, await sentInSleep, await statuses()].flat()).toEqual(Array(9).fill(200));
  },
);

const [program, ...launcher] = findEngine().command;

// npx starts the engine as a process of its own, which SIGKILL of npx does not reach.
test.skipIf(launcher.length > 0)(
  'an engine killed during writes and opened again has every write that was acknowledged',
  async () => {
    const { host, port } = await freeAddress();
    const file = join(folder, 'engine.db');
    const options = ['--host', host, '--port', port, '--db-path', file];
    const open = async () => {
      const engine = spawnBound(program, ['serve', ...options]);
      // It prints that it listens.
      await once(engine.child.stderr ?? expect.unreachable(), 'data');
      engine.child.stderr?.resume();
      onTestFinished(engine.stop);
      return engine;
    };
    const engine = await open();
    const endpoint = `http://${host}:${port}`;
    const tables = await openSpaces(8, endpoint);
    const proxy = await startFaultProxy(endpoint);
    const instance = await startFunction(tables, proxy.endpoint);
    const first = await instance.send(0);
    const killEngine: Reply = async (response, { deliver }) => {
      await deliver();
      engine.child.kill('SIGKILL');
      await engine.exited;
      await open();
      response.destroy();
    };
    proxy.fail(1, 'write', killEngine, 1);
    const others = await Promise.all(tables.spaces.slice(1).map((space) => instance.send(space)));
    for (const { space, response } of [first, ...others]) {
      const { statusCode, headers } = response;
      const { version, summary } = { ...(await tables.getFile(space)) };
      expect([statusCode, headers['etag'], summary]).toEqual([200, `"${version}"`, newSummary(space)]);
    }
    expect(judge(await tables.changes(), instance.sent().map(observe))).toEqual([]);
    expect(proxy.callsOf(1).write).toBeGreaterThan(1);
  },
);
