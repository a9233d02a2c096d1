import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { measureRun } from '../../../bench/process.ts';
import { checkedRequests } from '../../../bench/requests.ts';

const requests = [{ name: 'update', event: '{}', status: 200 }];
const ok = { status: 200, body: {} };

/** The file of a variant that gives these responses one after the other. */
const variantOf = (responses: readonly { readonly status: number; readonly body?: unknown }[]) => {
  const folder = mkdtempSync(join(tmpdir(), 'space-files-bench-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'handler.cjs');
  const given = responses.map(({ status, body }) => ({ statusCode: status, body: JSON.stringify(body) }));
  writeFileSync(file, `const given = ${JSON.stringify(given)}; exports.handler = async () => given.shift();`);
  return file;
};

test('the expected responses pass the check', async () => {
  await expect(
    measureRun(variantOf(checkedRequests), {}, { requests: checkedRequests }),
  ).resolves.toBeDefined();
});

test.each([
  ['status', { status: 500, body: { message: 'File not found' } }],
  ['body', { status: 404, body: { message: 'No such file' } }],
])('a wrong %s fails it, with request and both responses', async (_, last) => {
  const variant = variantOf([...checkedRequests.slice(0, -1), last]);
  const message = `file-not-found: expected 404 {"message":"File not found"}, got ${last.status} {"message":`;
  await expect(measureRun(variant, {}, { requests: checkedRequests })).rejects.toThrow(
    message + JSON.stringify(last.body.message),
  );
});

test('a request is measured only if its status is the expected one', async () => {
  const variant = variantOf([ok, { status: 503, body: {} }]);
  const message = /handler.cjs could not be measured: .*update: expected 200 {}, got 503/s;
  await expect(measureRun(variant, {}, { requests, count: 2 })).rejects.toThrow(message);
});

test('each measured request has a wall time, and no other request', async () => {
  const variant = variantOf(Array.from({ length: 7 }, () => ok));
  const { wallMs } = await measureRun(variant, {}, { requests, warmUp: 2, count: 5 });
  expect(wallMs).toEqual(Array.from({ length: 5 }, () => expect.any(Number)));
});
