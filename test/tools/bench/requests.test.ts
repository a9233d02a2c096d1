import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '#test/support/processes.ts';
import { measureRun } from '../../../bench/process.ts';
import { checkedRequests } from '../../../bench/requests.ts';

/** The file of a variant that gives these responses one after the other. */
const variantOf = (responses: readonly { readonly status: number; readonly body?: unknown }[]) => {
  const folder = temporaryFolder();
  onTestFinished(folder.remove);
  const file = join(folder.path, 'handler.cjs');
  const given = responses.map(({ status, body }) => ({ statusCode: status, body: JSON.stringify(body) }));
  writeFileSync(file, `const given = ${JSON.stringify(given)}; exports.handler = async () => given.shift();`);
  return file;
};

test.each([
  ['status', { status: 500, body: { message: 'File not found' } }],
  ['body', { status: 404, body: { message: 'No such file' } }],
])('measureRun reports the request and both responses if a %s is wrong', async (_, last) => {
  const variant = variantOf([...checkedRequests.slice(0, -1), last]);
  const message = `file-not-found: expected 404 {"message":"File not found"}, got ${last.status} {"message":`;
  await expect(measureRun(variant, {}, { requests: checkedRequests })).rejects.toThrow(
    message + JSON.stringify(last.body.message),
  );
});

test('measureRun gives the wall time of each measured request, and of no other', async () => {
  const requests = [{ name: 'update', event: '{}', status: 200 }];
  const variant = variantOf(Array.from({ length: 7 }, () => ({ status: 200, body: {} })));
  const { wallMs } = await measureRun(variant, {}, { requests, warmUp: 2, count: 5 });
  expect(wallMs).toEqual(Array.from({ length: 5 }, () => expect.any(Number)));
});
