import { afterEach, describe, expect, test, vi } from 'vitest';
import { always, inTurn } from './support/plan.ts';
import { openStage, type Stage } from './support/stage.ts';

let stage: Stage;
const open = async () => {
  stage = await openStage('garbled');
};
afterEach(async () => {
  await stage.proxy.settled();
  await stage.proxy.stop();
  vi.unstubAllEnvs();
});

/** Faults after which nobody knows whether the call was applied, and faults after which it was not. */
const unclear = [
  'reset after',
  'hang after',
  'slow, too late',
  '500 after',
  '502 after',
  '503 after',
  '504 after',
  'cut, length wrong',
  'cut, length right',
  'empty body',
  'empty object',
  'foreign JSON',
  'HTML body',
];
const passing = [
  'reset before',
  'throughput exceeded',
  'throttled',
  'request limit',
  '500 before',
  '502 before',
  '503 before',
  '504 before',
];

describe('a reply to the write that is none', () => {
  test.each([...unclear, ...passing, 'transaction conflict', 'replicated write conflict'])(
    '%s: the write is confirmed or made by a second attempt, once',
    async (name) => {
      await open();
      const versionBefore = (await stage.record()).version;
      stage.proxy.follow(inTurn('write', [name]));
      const { result, reads, writes } = await stage.count(() => stage.patch());
      expect({ status: result.status, reads, writes }).toEqual({ status: 200, reads: 1, writes: 2 });
      expect(await stage.record()).toMatchObject({
        snapshot: result.snapshot,
        version: result.version,
        requestId: result.id,
      });
      expect(result.version).toBeGreaterThan(versionBefore);
      expect(stage.logged()).toMatchObject({ outcome: 'updated', retries: 1, refusals: 0 });
    },
  );

  test.each(unclear)('%s, for ever: 503 before the deadline, never a 200 from it', async (name) => {
    await open();
    stage.proxy.follow(always(name, 'write'));
    const told = await stage.patch({ remainingMs: 800 });
    expect(told.status).toBe(503);
    expect(told.answered - told.began).toBeLessThan(800);
  });

  test("another file's reply: an opaque 500, no byte of the other file, no second attempt", async () => {
    await open();
    stage.proxy.follow(inTurn('write', ["another file's reply"]));
    const { result, writes } = await stage.count(() => stage.patch());
    expect({ status: result.status, body: result.response.body, writes }).toEqual({
      status: 500,
      body: '{"message":"Internal Server Error"}',
      writes: 1,
    });
    expect(stage.logged()).toMatchObject({
      level: 'error',
      reason: 'update: the reply holds a file that was not asked for',
    });
  });
});

describe('a fault on the access read never says that the key is wrong, and lets nobody in', () => {
  test.each([...unclear, ...passing])('%s, once: read again', async (name) => {
    await open();
    stage.proxy.follow(inTurn('read', [name]));
    const { result, reads } = await stage.count(() => stage.patch());
    expect({ status: result.status, reads }).toEqual({ status: 200, reads: 2 });
  });

  test.each([...unclear, ...passing, 'hang before'])('%s, for ever: 503, no write', async (name) => {
    await open();
    stage.proxy.follow(always(name, 'read'));
    const { result, writes } = await stage.count(() => stage.patch({ remainingMs: 700 }));
    expect({ status: result.status, writes }).toEqual({ status: 503, writes: 0 });
  });

  test('the reply to another read: an opaque 500, no write', async () => {
    await open();
    stage.proxy.follow(always("another file's reply", 'read'));
    const { result, writes } = await stage.count(() => stage.patch());
    expect({ status: result.status, writes }).toEqual({ status: 500, writes: 0 });
    expect(stage.logged()).toMatchObject({
      reason: 'access read: the reply holds a record that was not asked for',
    });
  });
});
