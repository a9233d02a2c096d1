import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { measureRun } from '../../bench/process.ts';
import { checkResponses, expectedResponses } from '../../bench/requests.ts';

/** A variant that gives these responses one after the other. */
const variantOf = (responses: readonly { readonly status: number; readonly body: object }[]) => {
  const folder = mkdtempSync(join(tmpdir(), 'space-files-bench-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'handler.cjs');
  const given = responses.map(({ status, body }) => ({ statusCode: status, body: JSON.stringify(body) }));
  writeFileSync(file, `const given = ${JSON.stringify(given)}; exports.handler = async () => given.shift();`);
  return { id: 'stub', name: 'Stub', file };
};
const ok = { status: 200, body: {} };

test('the expected responses pass the check', async () => {
  await expect(checkResponses([variantOf(expectedResponses)], {})).resolves.toBeUndefined();
});

test.each([
  ['status', { status: 500, body: { message: 'File not found' } }],
  ['body', { status: 404, body: { message: 'No such file' } }],
])('a wrong %s fails it, with variant, request and both responses', async (_, last) => {
  const variants = [variantOf(expectedResponses), variantOf([...expectedResponses.slice(0, -1), last])];
  await expect(checkResponses(variants, {})).rejects.toThrow(
    'stub on {"fileId":"no-such-file"}: expected {"status":404,"body":{"message":"File not found"}}, ' +
      `got ${JSON.stringify(last)}`,
  );
});

test('a request is measured only if its status is 200', async () => {
  const variant = variantOf([ok, { status: 503, body: {} }]);
  const measured = measureRun(variant, { environment: {}, requests: 2 });
  await expect(measured).rejects.toThrow(
    /stub could not be measured, .*expected 200, got \{"statusCode":503/s,
  );
});

test('each measured request has a wall time, and no other request', async () => {
  const variant = variantOf(Array.from({ length: 7 }, () => ok));
  const { wallMs } = await measureRun(variant, { environment: {}, warmUp: 2, requests: 5, callers: 3 });
  expect(wallMs).toEqual(Array.from({ length: 5 }, () => expect.any(Number)));
});
