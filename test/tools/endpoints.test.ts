import { expect, test } from 'vitest';
import { UsageError } from '#tools/cli.ts';
import { refusePublicKeys } from '#tools/tables/data.ts';
import demo from '#tools/tables/demo-data.json' with { type: 'json' };
import { isLocal } from '#tools/tables/environment.ts';

test.each([
  ['http://localhost:8000', true],
  ['http://127.0.0.1:8000', true],
  ['http://[::1]:8000', true],
  ['http://dynamodb:8000', true],
  ['http://127.0.0.1.example.com', false],
  ['http://10.0.0.1:8000', false],
  ['https://dynamodb.eu-west-1.amazonaws.com.', false],
  ['https://dynamodb.eusc-de-east-1.amazonaws.eu', false],
  ['https://tables.example.com', false],
])('%s is local: %s', (endpoint, expected) => {
  expect(isLocal(endpoint)).toBe(expected);
});

test.each([
  ['http://localhost:8000', demo, undefined],
  ['https://dynamodb.eusc-de-east-1.amazonaws.eu', { ...demo, apiKeys: [] }, undefined],
  ['https://dynamodb.eusc-de-east-1.amazonaws.eu', demo, UsageError],
])('public API keys are refused for %s', (endpoint, data, error) => {
  const refuse = () => refusePublicKeys(endpoint, data);
  if (error) expect(refuse).toThrow(error);
  else expect(refuse).not.toThrow();
});
