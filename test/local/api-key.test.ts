import { describe, expect, test } from 'vitest';
import { apiKeyCommand } from './support/api-key-command.ts';
import { runningProject } from './support/running-project.ts';

const project = runningProject();
const { apiKey, identify } = apiKeyCommand(project.env);

describe('with a running npm start', () => {
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

  test('an id that no key has is one sentence', async () => {
    expect(await apiKey('revoke', 'key_x')).toStrictEqual({
      code: 1,
      stdout: '',
      stderr: 'There is no API key with the id key_x.\n',
    });
  });
});
