import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { anError, answer } from './support/engine-replies.ts';
import type { Plan } from './support/plan.ts';
import { openStage, type Stage } from './support/stage.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage('never-repeated');
});
afterEach(async () => {
  await stage.proxy.stop();
  vi.unstubAllEnvs();
});

/** Answers every call of a kind with an error of AWS. */
const refuse =
  (kind: 'read' | 'write', name: string, reply = anError(name)): Plan =>
  (call) =>
    call.kind === kind ? { name, run: ({ response }) => answer(response, reply), part: 0 } : undefined;

const opaque = { status: 500, body: '{"message":"Internal Server Error"}' };

describe.each([
  'AccessDeniedException',
  'ExpiredTokenException',
  'UnrecognizedClientException',
  'InvalidSignatureException',
  'MissingAuthenticationTokenException',
  'KMSAccessDeniedException',
  'ResourceNotFoundException',
  'ValidationException',
])('%s is an opaque 500 at once, without a second attempt', (name) => {
  test('on the write, which changes nothing', async () => {
    const before = await stage.record();
    stage.proxy.follow(refuse('write', name));
    const { result, reads, writes } = await stage.count(() => stage.patch());
    const { status, response } = result;
    expect({ status, body: response.body, reads, writes }).toEqual({ ...opaque, reads: 1, writes: 1 });
    expect(stage.logged()).toMatchObject({ level: 'error', outcome: 'internal-error', error: { name } });
    expect(await stage.record()).toEqual(before);
  });

  test('on the access read, after which nothing is written', async () => {
    stage.proxy.follow(refuse('read', name));
    const { result, reads, writes } = await stage.count(() => stage.patch());
    const { status, response } = result;
    expect({ status, body: response.body, reads, writes }).toEqual({ ...opaque, reads: 1, writes: 0 });
  });
});

test("the one ValidationException that is the caller's to mend: a record that would grow too large is a 413", async () => {
  const before = await stage.record();
  const message = 'Item size has exceeded the maximum allowed size';
  const reply = {
    status: 400,
    body: Buffer.from(JSON.stringify({ __type: 'ValidationException', message })),
  };
  stage.proxy.follow(refuse('write', 'ValidationException', reply));
  const { result, writes } = await stage.count(() => stage.patch());
  expect({ status: result.status, writes }).toEqual({ status: 413, writes: 1 });
  expect(await stage.record()).toEqual(before);
});
