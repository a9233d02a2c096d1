import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { UsageError } from '#tools/cli.ts';
import { refusePublicKeys } from '#tools/tables/data.ts';
import demo from '#tools/tables/demo-data.json' with { type: 'json' };
import { isLocal } from '#tools/tables/environment.ts';

/** A Region of each partition of AWS, with the hosts for IPv4 and for dual stack, without FIPS. */
const partitions = {
  'us-east-1': ['amazonaws.com', 'api.aws'],
  'cn-north-1': ['amazonaws.com.cn', 'api.amazonwebservices.com.cn'],
  'us-gov-west-1': ['amazonaws.com', 'api.aws'],
  'us-iso-east-1': ['c2s.ic.gov', 'api.aws.ic.gov'],
  'us-isob-east-1': ['sc2s.sgov.gov', 'api.aws.scloud'],
  'eu-isoe-west-1': ['cloud.adc-e.uk', 'api.cloud-aws.adc-e.uk'],
  'us-isof-south-1': ['csp.hci.ic.gov', 'api.aws.hci.ic.gov'],
  'eusc-de-east-1': ['amazonaws.eu', 'api.amazonwebservices.eu'],
};

test.each(Object.entries(partitions))("no endpoint of the SDK's rules for %s is local", (Region, domains) => {
  const { endpointProvider } = new DynamoDBClient({ region: Region }).config;
  const hosts = [false, true].map((UseDualStack) => {
    const [plain, fips] = [false, true].map(
      (UseFIPS) => endpointProvider({ Region, UseDualStack, UseFIPS }).url,
    );
    expect([plain, fips].map((url) => isLocal(String(url)))).toEqual([false, false]);
    return plain?.hostname;
  });
  expect(hosts).toEqual(domains.map((domain) => `dynamodb.${Region}.${domain}`));
});

test.each([
  ['http://localhost:8000', true],
  ['http://127.0.0.1:8000', true],
  ['http://127.99.1.2', true],
  ['http://2130706433', true],
  ['http://[::1]:8000', true],
  ['http://dynamodb:8000', true],
  ['HTTP://DynamoDB', true],
  ['http://127.0.0.1.example.com', false],
  ['http://10.0.0.1:8000', false],
  ['http://0.0.0.0:8000', false],
  ['http://[2001:db8::1]', false],
  ['http://[::ffff:10.0.0.1]', false],
  ['https://dynamodb.eu-west-1.amazonaws.com.', false],
  ['https://dynamodb.', false],
  ['https://vpce-1-2.dynamodb.eu-west-1.vpce.amazonaws.com', false],
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
