import { expect, test } from 'vitest';
import { deploymentCases } from './cases/all.ts';
import { registerCases } from './harness.ts';
import { createSend } from './http.ts';

const service = registerCases(deploymentCases);
const count = Number(process.env['SMOKE_BURST'] ?? 0);

test('API Gateway limits the request rate', async ({ skip }) => {
  skip(count === 0, 'with SMOKE_BURST=N, this test sends N requests');
  const send = createSend(service.url);
  // Without headers, a request costs an invocation and no read.
  const request = { method: 'PATCH', path: '/v1/spaces/x/files/x', headers: [], body: '' };
  const responses = await Promise.all(Array.from({ length: count }, () => send(request)));
  const distinct = new Set(responses.map(({ status, text }) => `${status} ${text}`));
  const expected = ['400 {"message":"x-user-id is required"}', '429 {"message":"Too Many Requests"}'];
  expect([...distinct].toSorted(), `the responses to ${count} requests`).toStrictEqual(expected);
});
