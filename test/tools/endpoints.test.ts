import { expect, test, vi } from 'vitest';
import { UsageError } from '#tools/cli.ts';
import { refusePublicKeys } from '#tools/tables/data.ts';
import demo from '#tools/tables/demo-data.json' with { type: 'json' };
import { customEnvironment, engineEnvironment, isLocal, withoutUserAws } from '#tools/tables/environment.ts';

test.each([
  ['http://localhost:8000', true],
  ['http://127.0.0.1:8000', true],
  ['http://127.1.2.3', true],
  ['http://[::1]:8000', true],
  ['http://dynamodb:8000', true],
  ['http://localhost.:8000', true],
  ['http://dynamodb.localhost:8000', true],
  ['http://0.0.0.0:8000', true],
  ['http://[::]:8000', true],
  ['http://dynamodb.localhost.localstack.cloud:4566', true],
  ['https://localhost.example.com', false],
  ['https://example-localhost.com', false],
  ['https://db.examplelocalhost', false],
  ['http://localhost.localstack.cloud:4566', true],
  ['http://127.0.0.1.example.com', false],
  ['http://10.0.0.1:8000', false],
  ['http://[fd00::1]:8000', false],
  ['http://dynamodb.internal.example.com', false],
  ['https://dynamodb.eu-west-1.amazonaws.com', false],
  ['https://dynamodb.eu-west-1.amazonaws.com.', false],
  ['https://dynamodb.eusc-de-east-1.amazonaws.eu', false],
])('%s is local: %s', (endpoint, expected) => {
  expect(isLocal(endpoint)).toBe(expected);
});

test('public API keys are refused for what may be AWS', () => {
  const aws = 'https://dynamodb.eusc-de-east-1.amazonaws.eu';
  expect(() => refusePublicKeys('http://localhost:8000', demo)).not.toThrow();
  expect(() => refusePublicKeys(aws, { ...demo, apiKeys: [] })).not.toThrow();
  expect(() => refusePublicKeys(aws, demo)).toThrow(UsageError);
});

const noFiles = { AWS_CONFIG_FILE: '/dev/null', AWS_SHARED_CREDENTIALS_FILE: '/dev/null' };
const dummyKey = { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' };
const key = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };
const odd = { AWS_USE_FIPS_ENDPOINT: 'true', AWS_ENDPOINT_URL: 'http://elsewhere', AWS_NOT_KNOWN_YET: 'x' };
const local = { AWS_ENDPOINT_URL_DYNAMODB: 'http://localhost:8000' };
const remote = { AWS_ENDPOINT_URL_DYNAMODB: 'https://dynamodb.eu-west-1.amazonaws.com' };
const region = { AWS_REGION: 'eu-west-1' };
const noMetadata = { AWS_EC2_METADATA_DISABLED: 'true' };
const engine = 'http://127.0.0.1:1';

test.each([
  [
    'our engine',
    () => engineEnvironment(engine),
    { ...odd, ...remote, ...region, ...key, AWS_PROFILE: 'p' },
    { AWS_ENDPOINT_URL_DYNAMODB: engine, AWS_REGION: 'us-east-1', ...dummyKey, ...noFiles },
  ],
  [
    'a local endpoint',
    () => customEnvironment(),
    { ...local, ...odd, AWS_PROFILE: 'p' },
    { ...local, AWS_REGION: 'us-east-1', ...dummyKey, ...noFiles },
  ],
  [
    'a local endpoint, with a Region and a key',
    () => customEnvironment(),
    { ...local, ...odd, ...region, ...key, AWS_SESSION_TOKEN: 't' },
    { ...local, ...region, ...key, AWS_SESSION_TOKEN: 't', ...noFiles },
  ],
  [
    'an endpoint of AWS, with a profile',
    () => customEnvironment(),
    { ...remote, ...odd, ...region, AWS_PROFILE: 'p' },
    { ...remote, ...odd, ...region, AWS_PROFILE: 'p', ...noMetadata },
  ],
  [
    'another endpoint, without credentials',
    () => customEnvironment(),
    { ...remote, AWS_DEFAULT_REGION: 'eu-west-2' },
    { ...remote, AWS_DEFAULT_REGION: 'eu-west-2', AWS_REGION: 'eu-west-2', ...dummyKey, ...noMetadata },
  ],
])('the variables of AWS for %s', (_, environmentFor, before, after) => {
  for (const [name, value] of Object.entries({ ...withoutUserAws(), ...before })) vi.stubEnv(name, value);
  for (const name of Object.keys(noFiles)) vi.stubEnv(name, undefined);
  const all = Object.entries({ ...process.env, ...environmentFor() });
  const ofAws = all.filter(([name, value]) => name.startsWith('AWS_') && value !== undefined);
  expect(Object.fromEntries(ofAws)).toStrictEqual(after);
});
