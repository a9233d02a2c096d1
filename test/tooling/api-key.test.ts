import { expect, inject, test } from 'vitest';
import { readCommand } from '#tools/api-key/api-key.ts';
import { checksumOf, generateKey } from '#tools/api-key/table.ts';
import { UsageError } from '#tools/cli.ts';
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
const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g;

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
  expect({ ...created, stdout: created.stdout.replace(time, 'TIME') }).toStrictEqual({
    code: 0,
    stdout: `${key}

Save this API key now: only its hash is stored, so it cannot be shown again.

KEY ID            TENANT  NAME    ROLES   SCOPE    CREATED               EXPIRES               STATE
${keyId}  acme    CI bot  editor  PRODUCT  TIME  TIME  active
`,
    stderr: '',
  });
  expect(await update(key)).toBe(200);
  expect(await apiKey(['revoke', keyId])).toStrictEqual({
    code: 0,
    stdout: `${keyId} is revoked.\n`,
    stderr: '',
  });
  expect(await update(key)).toBe(401);
  expect((await apiKey(['revoke', keyId])).stdout).toBe(`${keyId} was revoked before.\n`);
  expect((await apiKey(['show', keyId])).stdout).toMatch(/ {2}2999-01-01T00:00:00Z {2}revoked \S+Z\n$/);
});

test('a rotated key works beside its successor until its end', async () => {
  const first = (await apiKey(['create', '--tenant', 'acme', '--role', 'editor'])).stdout;
  const [keyId = ''] = idsIn(first);
  const rotated = (await apiKey(['rotate', keyId, '--until', '2998-01-01', '--expires', '2999-01-01']))
    .stdout;
  expect(idsIn(rotated)).toStrictEqual([expect.any(String), keyId]);
  expect(rotated.match(/ 299\d-01-01/g)).toStrictEqual([' 2999-01-01', ' 2998-01-01']);
  expect([await update(keyIn(first)), await update(keyIn(rotated))]).toStrictEqual([200, 200]);
  await apiKey(['rotate', keyId, '--keep', '0']);
  expect([await update(keyIn(first)), await update(keyIn(rotated))]).toStrictEqual([401, 200]);
});

const ofGlobex =
  `KEY ID      TENANT  NAME                          ROLES   SCOPE    CREATED               EXPIRES  STATE
key-globex  globex  Demo editor of another tenant  editor  PRODUCT  2026-01-01T00:00:00Z  never    active
`.replace('NAME  ', 'NAME   ');
const unknown = 'The table has no such API key. It may be incomplete, or expired and removed.\n';

test.each([
  ['list', ['list', '--tenant', 'globex'], '', 0, ofGlobex, ''],
  ['show', ['show', 'key-globex'], '', 0, ofGlobex, ''],
  ['identify', ['identify'], 'demo-globex-key\n', 0, ofGlobex, ''],
  ['an unknown key, which is not repeated', ['identify'], 'demo-globex-ke', 1, '', unknown],
  ['no key', ['identify'], '\n', 1, '', unknown],
  ['an unknown id', ['revoke', 'key_x'], '', 1, '', 'There is no API key with the id key_x.\n'],
])('%s', async (_, args, input, code, stdout, stderr) => {
  expect(await apiKey(args, input)).toStrictEqual({ code, stdout, stderr });
});

test('list --json has the keys of all tenants, without their hashes', async () => {
  const { stdout } = await apiKey(['list', '--json']);
  const tenantIds = JSON.parse(stdout).map(({ tenantId }: { tenantId: string }) => tenantId);
  expect(new Set(tenantIds)).toStrictEqual(new Set(['acme', 'globex']));
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
  expect(stdout).not.toMatch(/keyHash|[0-9a-f]{64}/);
});

const commands = 'command must be create, rotate, list, show, identify or revoke';
const date = 'must be like 2030-01-31 or 2030-01-31T12:00:00Z';
const create = 'create --tenant acme --role editor';
test.each([
  ['', commands],
  ['frob', commands],
  ['create --role editor', '--tenant is missing'],
  ['create --tenant acme', '--role is missing'],
  ['create --tenant acme --role owner', '--role must be one of admin, editor, viewer'],
  ['create --tenant a,b --role editor', '--tenant must be 1 to 128 characters, without spaces and commas'],
  [`${create} --name=a\nb`, '--name must be 1 to 128 characters, without line breaks'],
  [`${create} --expires 2020-01-01`, '--expires must be in the future'],
  [`${create} --expires soon`, `--expires ${date}`],
  [`${create} --keep 1`, 'create does not take keep'],
  ['revoke', 'keyId must be one key id'],
  ['show key_a key_b', 'keyId must be one key id'],
  ['rotate key_a --keep 1 --until 2999-01-01', '--until cannot be combined with --keep'],
  ['rotate key_a --keep long', '--keep must be a number of days from 0 to 999'],
  ['rotate key_a --keep -1', "Option '--keep' argument is ambiguous"],
  ['identify sfk_secret', 'identify does not take keyId'],
])('npm run api-key -- %s: %s', (line, problem) => {
  const message = `${problem}. Run \`npm run api-key -- --help\` to list the options.`;
  expect(() => readCommand(line.split(' ').filter(Boolean))).toThrow(new UsageError(message));
});

test.each([
  [
    ['--table', 'nope'],
    { AWS_ENDPOINT_URL_DYNAMODB: inject('endpoint') },
    /^The table nope could not be used: .+\n$/,
  ],
  [[], {}, /^There is no table: run `npm start`, or set --table or API_KEYS_TABLE\.\n$/],
])('a table that does not exist: %j', async (args, endpoint, sentence) => {
  const env = bareEnvironment({ SPACE_FILES_STATE_DIR: '/nowhere', ...endpoint });
  const result = await run(['tools/api-key/api-key.ts', 'list', ...args], env);
  expect(result).toStrictEqual({ code: 1, stdout: '', stderr: expect.stringMatching(sentence) });
});
