import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { projectRoot } from '#local/project.ts';
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

  test('a rotated key works beside its successor for as long as it is kept', async () => {
    const [one = ''] =
      /sfk_\w+/.exec((await apiKey('create', '--tenant', 'acme', '--role', 'editor')).stdout) ?? [];
    const [keyId = ''] = /key_\w+/.exec(identify(one).stdout) ?? [];
    const rotated = await apiKey('rotate', keyId, '--until', '2998-01-01', '--expires', '2999-01-01');
    const [other = ''] = /sfk_\w+/.exec(rotated.stdout) ?? [];
    expect(rotated).toStrictEqual({
      code: 0,
      stdout: `API key  ${other}
key id   ${/key_\w+/.exec(identify(other).stdout)?.[0]}
tenant   acme
roles    editor
expires  2999-01-01T00:00:00Z

Only its hash is stored: keep the key now, it cannot be shown again.

${keyId} stays valid until 2998-01-01T00:00:00Z.
`,
      stderr: '',
    });
    expect([await update(one), await update(other)]).toStrictEqual([200, 200]);
    await apiKey('rotate', keyId, '--keep', '0');
    expect([await update(one), await update(other)]).toStrictEqual([401, 200]);
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

  test('without a tenant the keys of all are listed, each with its own', async () => {
    const { code, stdout, stderr } = await apiKey('list');
    expect({ code, stderr }).toStrictEqual({ code: 0, stderr: '' });
    expect(
      stdout
        .split('\n')
        .filter((line) => /KEY ID|key-(globex|expired|revoked)/.test(line))
        .map((line) => line.replaceAll(/ {2,}/g, '  ')),
    ).toStrictEqual([
      'TENANT  KEY ID  NAME  ROLES  CREATED  EXPIRES  STATE',
      'acme  key-expired  Demo expired key  editor  2026-01-01T00:00:00Z  2026-02-01T00:00:00Z  expired',
      'globex  key-globex  Demo editor of another tenant  editor  2026-01-01T00:00:00Z  never  active',
      'acme  key-revoked  Demo revoked key  editor  2026-01-01T00:00:00Z  never  revoked 2026-02-01T00:00:00Z',
    ]);
  });

  test('machines get the same as JSON, without the hashes', async () => {
    const { stdout } = await apiKey('list', '--tenant', 'acme', '--json');
    expect(JSON.parse(stdout)).toContainEqual({
      keyId: 'key-revoked',
      tenantId: 'acme',
      scope: 'PRODUCT',
      roles: ['editor'],
      name: 'Demo revoked key',
      createdAt: '2026-01-01T00:00:00Z',
      revokedAt: '2026-02-01T00:00:00Z',
      state: 'revoked',
    });
    expect(stdout).not.toMatch(/keyHash|[0-9a-f]{64}/);
  });

  const ofGlobex = `key id   key-globex
tenant   globex
name     Demo editor of another tenant
roles    editor
scope    PRODUCT
created  2026-01-01T00:00:00Z
expires  never
state    active
`;

  test('an id tells whose key it is', async () => {
    expect(await apiKey('show', 'key-globex')).toStrictEqual({ code: 0, stdout: ofGlobex, stderr: '' });
  });

  const identify = (input: string) => {
    const args = ['local/api-key.ts', 'identify'];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: projectRoot,
      env,
      input,
      encoding: 'utf8',
    });
    return { code: status, stdout, stderr };
  };

  test.each([
    ['a key that came from stdin is told by its hash', 'demo-globex-key\n', 0, ofGlobex, ''],
    [
      'a key that is not known is told neither, nor repeated',
      'demo-globex-ke',
      1,
      '',
      'space-files-dev-api-keys knows no such API key: it is not one, not whole, or expired and removed.\n',
    ],
    ['nothing from stdin is one sentence', '\n', 1, '', 'No API key came from stdin.\n'],
  ])('%s', (_, input, code, stdout, stderr) => {
    expect(identify(input)).toStrictEqual({ code, stdout, stderr });
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
      // The reason is in the engine's own words.
      stderr: expect.stringMatching(/^The table nope could not be used: .+\n$/),
    });
  });
});
