import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { deploymentCases } from '#test/requests/cases/all.ts';
import { readTableNames } from '#tools/tables/environment.ts';
import { checkTables } from '#tools/tables/tables.ts';
import { createSend } from './http.ts';
import { registerCases } from './suite.ts';

// First: with other keys, every case below gets 500.
test('the tables have the keys of the contract', async ({ skip }) => {
  const { API_KEYS_TABLE, SPACES_TABLE, FILES_TABLE } = process.env;
  skip(
    !(API_KEYS_TABLE && SPACES_TABLE && FILES_TABLE),
    'API_KEYS_TABLE, SPACES_TABLE, FILES_TABLE are not set',
  );
  await checkTables(new DynamoDBClient(), readTableNames());
});

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
