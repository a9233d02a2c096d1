import { describe, expect, inject, test } from 'vitest';
import { apiKeyCommand } from './support/api-key-command.ts';
import { bareEnvironment, run } from './support/processes.ts';
import { runningProject } from './support/running-project.ts';

const project = runningProject();
const { apiKey } = apiKeyCommand(project.env);

describe('with a running npm start', () => {
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
