import { beforeEach, describe, expect, test, vi } from 'vitest';
import { UsageError } from '#tools/cli.ts';
import { proxyFor } from '#tools/proxy.ts';
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

describe('HTTPS_PROXY', () => {
  const warnings = () => {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    return () => write.mock.calls.map(([text]) => text);
  };
  beforeEach(() => {
    for (const name of ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'])
      for (const one of [name, name.toLowerCase()]) vi.stubEnv(one, undefined);
    vi.stubEnv('HTTPS_PROXY', 'http://proxy.example');
  });
  const aws = 'https://dynamodb.eu-west-1.amazonaws.com';

  test('counts for AWS, and not on this machine', () => {
    const printed = warnings();
    expect(proxyFor(aws)).toEqual({ HTTPS_PROXY: 'http://proxy.example/' });
    vi.stubEnv('no_proxy', '.example');
    vi.stubEnv('http_proxy', 'http://other.example');
    const all = { HTTP_PROXY: 'http://other.example/', NO_PROXY: '.example' };
    expect(proxyFor(aws)).toEqual({ HTTPS_PROXY: 'http://proxy.example/', ...all });
    expect(proxyFor('https://localhost:8000')).toBeUndefined();
    expect(printed()).toEqual([]);
  });

  // A file with CRLF leaves the end of a line in the variable.
  test.each([
    'user:secret@proxy.example:8080',
    'http://user:secret@proxy.example:8080',
    'http://user:secret@proxy.example:8080\r',
  ])('may have no http://, or the end of a line: %j', (given) => {
    vi.stubEnv('HTTPS_PROXY', given);
    expect(proxyFor(aws)).toEqual({ HTTPS_PROXY: 'http://user:secret@proxy.example:8080/' });
  });

  test.each(['http://user:secret@proxy.example:8080:1', 'socks5://user:secret@proxy.example:1080'])(
    'is neither passed by nor printed if it is not the URL of an HTTP proxy: %s',
    (given) => {
      vi.stubEnv('HTTPS_PROXY', given);
      expect(() => proxyFor(aws)).toThrow(new UsageError('HTTPS_PROXY is not the URL of an HTTP proxy.'));
    },
  );

  test.each([
    'http://user:se%ret@proxy.example:8080',
    'http://us%er:secret@proxy.example:8080',
    'se%ff:x@proxy.example',
    'us%:41secret@proxy.example',
  ])('is not printed if Node could not decode its password: %s', (given) => {
    vi.stubEnv('HTTPS_PROXY', given);
    const advice = 'Write % as %25 in the user and the password of HTTPS_PROXY.';
    expect(() => proxyFor(aws)).toThrow(new UsageError(advice));
  });

  test('is said to be ignored by a Node that ignores it', () => {
    vi.spyOn(process, 'allowedNodeEnvironmentFlags', 'get').mockReturnValue(new Set());
    const printed = warnings();
    proxyFor(aws);
    proxyFor('http://dynamodb.example');
    proxyFor('https://localhost:8000');
    expect(printed()).toEqual(['HTTPS_PROXY is ignored: it needs Node 24.5, or 22.21 of Node 22.\n']);
  });
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
