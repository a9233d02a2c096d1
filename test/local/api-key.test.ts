import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { checksumOf, generateKey } from '#local/api-key/generate.ts';
import { bareEnvironment, run, startProject, temporaryFolder } from './support/processes.ts';

const folder = temporaryFolder();
const env = bareEnvironment({ SPACE_FILES_STATE_DIR: folder.path });
const apiKey = (...args: string[]) => run(['local/api-key.ts', ...args], env);
const hint = '; npm run api-key -- --help shows how.\n';

test('a key is 256 random bits between a prefix and the CRC-32 of what precedes it', () => {
  const key = generateKey();
  expect(key).toMatch(/^sfk_[0-9A-Za-z]{49}$/);
  expect(key.slice(-6)).toBe(checksumOf(key.slice(0, -6)));
  expect(generateKey()).not.toBe(key);
  // The check value that is published with CRC-32: cbf43926 for these nine digits, here in base 62.
  expect(checksumOf('123456789')).toBe('3jZRME');
});

describe('with a running npm start', () => {
  let project: Awaited<ReturnType<typeof startProject>>;
  beforeAll(async () => {
    project = await startProject([], env);
  });
  afterAll(async () => {
    await project.stop();
    folder.remove();
  });

  const update = async (key: string) => {
    const path = '/v1/spaces/handbook/files/3f2b8c1e-6a4d-4c57-9e0f-1b7a2d9c5e80';
    const headers = {
      'x-api-key': key,
      'x-tenant-id': 'acme',
      'x-user-id': 'ada',
      'content-type': 'application/json',
    };
    return (await fetch(project.url + path, { method: 'PATCH', headers, body: '{"summary":"x"}' })).status;
  };

  test('a new key works until it is revoked', async () => {
    const created = await apiKey(
      'create',
      '--tenant',
      'acme',
      '--role',
      'editor',
      '--name',
      'CI bot',
      '--expires',
      '2999-01-01',
    );
    const [key = ''] = /sfk_\w+/.exec(created.stdout) ?? [];
    const [keyId = ''] = /key_\w+/.exec(created.stdout) ?? [];
    expect(created).toStrictEqual({
      code: 0,
      stdout: `API key  ${key}
key id   ${keyId}
tenant   acme
roles    editor
expires  2999-01-01T00:00:00Z

Only its hash is stored: keep the key now, it cannot be shown again.
`,
      stderr: '',
    });
    expect(await update(key)).toBe(200);
    expect(await apiKey('revoke', keyId)).toStrictEqual({
      code: 0,
      stdout: `${keyId} is revoked.\n`,
      stderr: '',
    });
    expect(await update(key)).toBe(401);
    expect(await apiKey('revoke', keyId)).toStrictEqual({
      code: 0,
      stdout: `${keyId} was revoked already.\n`,
      stderr: '',
    });
    const { stdout } = await apiKey('list', '--tenant', 'acme');
    expect(stdout).not.toContain(key);
    expect(stdout.split('\n').find((line) => line.startsWith(keyId))).toMatch(
      /^key_\w{12} {2}CI bot +editor +\S+Z {2}2999-01-01T00:00:00Z {2}revoked \S+Z$/,
    );
  });

  test('the keys of a tenant are listed, and no other', async () => {
    expect(await apiKey('list', '--tenant', 'globex')).toStrictEqual({
      code: 0,
      stdout: `KEY ID      NAME                           ROLES   CREATED               EXPIRES  STATE
key-globex  Demo editor of another tenant  editor  2026-01-01T00:00:00Z  never    active
`,
      stderr: '',
    });
    expect((await apiKey('list', '--tenant', 'nobody')).stdout).toBe('Tenant nobody has no API keys.\n');
  });

  test('an id that no key has is one sentence', async () => {
    expect(await apiKey('revoke', 'key_x')).toStrictEqual({
      code: 1,
      stdout: '',
      stderr: 'There is no API key with the id key_x.\n',
    });
  });

  test('a table that is not there is one sentence', async () => {
    const elsewhere = bareEnvironment({ AWS_ENDPOINT_URL_DYNAMODB: inject('endpoint') });
    const args = ['local/api-key.ts', 'list', '--tenant', 't', '--table', 'nope'];
    expect(await run(args, elsewhere)).toStrictEqual({
      code: 1,
      stdout: '',
      stderr: 'The table nope could not be used: Requested resource not found\n',
    });
  });
});

test('without a table and without npm start it says so', async () => {
  const nowhere = bareEnvironment({ SPACE_FILES_STATE_DIR: '/nowhere' });
  expect(await run(['local/api-key.ts', 'list', '--tenant', 't'], nowhere)).toStrictEqual({
    code: 1,
    stdout: '',
    stderr: 'No table to work on: run `npm start`, or name one with --table or API_KEYS_TABLE.\n',
  });
});

test.each([
  [[], 'A command is missing'],
  [['frob'], 'The commands are create, list and revoke'],
  [['create', '--role', 'editor'], '--tenant is missing'],
  [['create', '--tenant', 'acme'], '--role is missing'],
  [['create', '--tenant', 'acme', '--role', 'owner'], '--role must be one of admin, editor, viewer'],
  [
    ['create', '--tenant', 'a,b', '--role', 'editor'],
    '--tenant must be 1 to 128 characters without white space, commas or control characters',
  ],
  [
    ['create', '--tenant', 'a', '--role', 'editor', '--expires', '2020-01-01'],
    '--expires must be in the future',
  ],
  [
    ['create', '--tenant', 'a', '--role', 'editor', '--expires', 'soon'],
    '--expires must be like 2030-01-31 or 2030-01-31T12:00:00Z',
  ],
  [['revoke'], 'revoke needs the id of one key'],
])('%j is refused', async (args, problem) => {
  expect(await apiKey(...args)).toStrictEqual({ code: 1, stdout: '', stderr: `${problem}${hint}` });
});
