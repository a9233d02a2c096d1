import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { bareEnvironment, run, startProject, temporaryFolder } from './support/processes.ts';

const folder = temporaryFolder();
const env = bareEnvironment({ SPACE_FILES_STATE_DIR: folder.path });
const apiKey = (...args: string[]) => run(['local/api-key.ts', ...args], env);

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
