import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { answer } from './support/engine-replies.ts';
import type { Fault } from './support/faults.ts';
import { openStage, type Stage } from './support/stage.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage('if-match');
});
afterEach(async () => {
  await stage.proxy.stop();
  vi.unstubAllEnvs();
});

/** Lets this happen to the first write that brings the value, and every other call pass. */
const once = (value: string, run: Fault) => {
  let isLeft = true;
  stage.proxy.follow(({ body }) => {
    if (!isLeft || !body.includes(value)) return undefined;
    isLeft = false;
    return { name: value, run, part: 0 };
  });
};
const theirs = { patch: { summary: 'Theirs.' } };

test('a write that was applied, lost its reply and was overwritten is a 503: a 412 would say it changed nothing', async () => {
  const { version } = await stage.record();
  once('Mine.', async ({ response, deliver }) => {
    await deliver();
    await stage.patch(theirs);
    response.destroy();
  });
  const told = await stage.patch({ patch: { summary: 'Mine.' }, allowed: [version] });
  expect(told.status).toBe(503);
  expect((await stage.record()).snapshot.summary).toBe('Theirs.');
});

test('a write that was overtaken on its way is a 412 with the version that overtook it', async () => {
  const { version } = await stage.record();
  once('Mine.', async ({ response, deliver }) => {
    await stage.patch(theirs);
    answer(response, await deliver());
  });
  const told = await stage.patch({ patch: { summary: 'Mine.' }, allowed: [version] });
  const after = await stage.record();
  expect(told).toMatchObject({ status: 412, version: after.version });
  expect(after.snapshot.summary).toBe('Theirs.');
});
