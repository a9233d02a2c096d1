import { expect, test } from 'vitest';
import { readCommand } from '#tools/api-key/api-key.ts';
import { checksumOf, generateKey } from '#tools/api-key/table.ts';
import { bareEnvironment, run, runningProject } from '../support/processes.ts';

const project = runningProject();
const apiKey = (args: string[], input = '') =>
  run(['tools/api-key/api-key.ts', ...args], project.env, undefined, input);

const update = async (key: string) => {
  const path = '/v1/spaces/handbook/files/3f2b8c1e-6a4d-4c57-9e0f-1b7a2d9c5e80';
  const ids = { 'x-api-key': key, 'x-tenant-id': 'acme', 'x-user-id': 'ada' };
  const headers = { ...ids, 'content-type': 'application/json' };
  return (await fetch(project.url + path, { method: 'PATCH', headers, body: '{"summary":"x"}' })).status;
};
const keyIn = (stdout: string) => /^sfk_\w{49}$/m.exec(stdout)?.[0] ?? '';
const idsIn = (stdout: string) => stdout.match(/^key_\w{12}/gm) ?? [];

const head = 'KEY ID\tTENANT\tNAME\tROLES\tSCOPE\tCREATED\tEXPIRES\tSTATE\n';

test('a key is 43 random characters between a prefix and the CRC-32 of what precedes it', () => {
  const key = generateKey();
  expect(key).toMatch(/^sfk_[0-9A-Za-z]{49}$/);
  expect(key.slice(-6)).toBe(checksumOf(key.slice(0, -6)));
  expect(generateKey()).not.toBe(key);
  // The published check value of CRC-32, cbf43926 for these nine digits, in base 62.
  expect(checksumOf('123456789')).toBe('3jZRME');
});

test('a created key works until it is revoked', async () => {
  const args = ['--tenant', 'acme', '--role', 'editor', '--name', 'CI bot', '--expires', '2999-01-01'];
  const created = await apiKey(['create', ...args]);
  const [keyId = ''] = idsIn(created.stdout);
  const key = keyIn(created.stdout);
  const line = (state: string) =>
    `${head}${keyId}\tacme\tCI bot\teditor\tPRODUCT\tTIME\t2999-01-01T00:00:00Z\t${state}\n`;
  const withoutTime = (stdout: string) => stdout.replace(/20[\d-]+T[\d:]+Z/, 'TIME');
  expect({ ...created, stdout: withoutTime(created.stdout) }).toStrictEqual({
    code: 0,
    stdout: `${key}\n\nSave this API key now: only its hash is stored, so it cannot be shown again.\n\n${line('active')}`,
    stderr: '',
  });
  expect(await update(key)).toBe(200);
  expect((await apiKey(['revoke', keyId])).stdout).toBe(`${keyId} is revoked.\n`);
  expect(await update(key)).toBe(401);
  expect((await apiKey(['revoke', keyId])).stdout).toBe(`${keyId} was revoked before.\n`);
  expect(withoutTime((await apiKey(['show', keyId])).stdout)).toBe(line('revoked'));
});

test('a rotated key works beside its successor until its end', async () => {
  const first = (await apiKey(['create', '--tenant', 'acme', '--role', 'editor'])).stdout;
  const [keyId = ''] = idsIn(first);
  const { stdout } = await apiKey(['rotate', keyId, '--until', '2998-01-01', '--expires', '2999-01-01']);
  expect(idsIn(stdout)).toStrictEqual([expect.any(String), keyId]);
  expect(stdout.match(/299\d-01-01/g)).toStrictEqual(['2999-01-01', '2998-01-01']);
  expect([await update(keyIn(first)), await update(keyIn(stdout))]).toStrictEqual([200, 200]);
  await apiKey(['rotate', keyId, '--keep', '0']);
  expect([await update(keyIn(first)), await update(keyIn(stdout))]).toStrictEqual([401, 200]);
});

const ofGlobex = `${head}key-globex\tglobex\tDemo editor of another tenant\teditor\tPRODUCT\t2026-01-01T00:00:00Z\tnever\tactive\n`;
const unknown = 'The table has no such API key. It may be incomplete, or expired and removed.\n';

test.each([
  ['list', ['list', '--tenant', 'globex'], '', 0, ofGlobex, ''],
  ['identify', ['identify'], 'demo-globex-key\n', 0, ofGlobex, ''],
  ['an unknown key, which is not repeated', ['identify'], 'demo-globex-ke', 1, '', unknown],
  ['an unknown id', ['revoke', 'key_x'], '', 1, '', 'There is no API key with the id key_x.\n'],
  ['no Region', ['list', '--table', 'x'], '', 1, '', 'The table could not be used: Region is missing\n'],
])('%s', async (_, args, input, code, stdout, stderr) => {
  expect(await apiKey(args, input)).toStrictEqual({ code, stdout, stderr });
});

test('without a running npm start, a table must be named', async () => {
  const env = bareEnvironment({ SPACE_FILES_STATE_DIR: '/nowhere' });
  const stderr = 'There is no table: run `npm start`, or set --table or API_KEYS_TABLE.\n';
  const result = await run(['tools/api-key/api-key.ts', 'list'], env);
  expect(result).toStrictEqual({ code: 1, stdout: '', stderr });
});

test('list --json has the keys of all tenants, without their hashes', async () => {
  const { stdout } = await apiKey(['list', '--json']);
  expect(JSON.parse(stdout)).toContainEqual({
    keyId: 'key-revoked',
    tenantId: 'acme',
    scope: 'PRODUCT',
    roles: ['editor'],
    name: 'Demo revoked key',
    createdAt: 1767225600,
    revokedAt: 1769904000,
    state: 'revoked',
  });
  expect(stdout).toContain('key-globex');
  expect(stdout).not.toMatch(/keyHash|[0-9a-f]{64}/);
});

const create = 'create --tenant acme --role editor';
test.each([
  ['', "Expected 'create' | 'rotate' | 'list' | 'show' | 'identify' | 'revoke'"],
  ['create --role editor', 'at tenant'],
  ['create --tenant acme', 'at role'],
  ['create --tenant acme --role owner', 'expected one of "admin"|"editor"|"viewer"'],
  ['create --tenant a,b --role editor', 'must be 1 to 128 characters, without spaces and commas'],
  [`${create} --name=a\nb`, 'at name'],
  [`${create} --expires 2020-01-01`, 'must be in the future\n  → at expires'],
  [`${create} --expires soon`, 'must be like 2030-01-31 or 2030-01-31T12:00:00Z\n  → at expires'],
  [`${create} --keep 1`, 'Unrecognized key: "keep"'],
  ['revoke', 'at keyId'],
  ['show key_a key_b', 'at keyId'],
  ['rotate key_a --keep long', 'at keep'],
  ['rotate key_a --keep 1 --until 2999-01-01', 'give --keep or --until, not both'],
  ['identify sfk_secret', 'Unrecognized key: "keyId"'],
])('npm run api-key -- %s: %s', (line, problem) => {
  const read = () => readCommand(line.split(' ').filter(Boolean));
  expect(read).toThrow(problem);
  expect(read).not.toThrow('sfk_secret');
});
