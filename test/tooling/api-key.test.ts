import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, NumberValue, PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { hashApiKey } from '#lib/store/keys.ts';
import { readCommand } from '#tools/api-key/api-key.ts';
import { checksumOf, generateKey } from '#tools/api-key/table.ts';
import { run, runningProject, startProject } from '../support/processes.ts';

const project = runningProject();
const apiKey = (args: string[], input = '', environment: Record<string, string> = {}) =>
  run(['tools/api-key/api-key.ts', ...args], { ...project.env, ...environment }, undefined, input);
const usedTable = () => `Table space-files-dev-api-keys in DynamoDB at ${project.endpoint}\n`;

const status = async (key: string) => {
  const path = '/v1/spaces/handbook/files/3f2b8c1e-6a4d-4c57-9e0f-1b7a2d9c5e80';
  const ids = { 'x-api-key': key, 'x-tenant-id': 'acme', 'x-user-id': 'ada' };
  const headers = { ...ids, 'content-type': 'application/json' };
  return (await fetch(project.url + path, { method: 'PATCH', headers, body: '{"summary":"x"}' })).status;
};
const keyIn = (stdout: string) => /^sfk_\w{49}$/m.exec(stdout)?.[0] ?? '';
const idIn = (stdout: string) => /^key_\w{12}/m.exec(stdout)?.[0] ?? '';

const head = 'KEY ID\tTENANT\tNAME\tROLES\tSCOPE\tCREATED\tEXPIRES\tSTATE\n';

test('a key is 43 random characters between a prefix and the CRC-32 of what precedes it', () => {
  const key = generateKey();
  expect(key).toMatch(/^sfk_[0-9A-Za-z]{49}$/);
  expect(key.slice(-6)).toBe(checksumOf(key.slice(0, -6)));
  expect(generateKey()).not.toBe(key);
  // The published check value of CRC-32, cbf43926 for these nine digits, in base 62.
  expect(checksumOf('123456789')).toBe('3jZRME');
});

test('a created key works until it is rotated, and its successor until it is revoked', async () => {
  const who = ['--tenant', 'acme', '--role', 'editor', '--name', 'CI bot'];
  const created = await apiKey(['create', ...who, '--expires', '2999-01-01']);
  const [key, keyId] = [keyIn(created.stdout), idIn(created.stdout)];
  const line = (id: string, expires: string, state = 'active') =>
    `${head}${id}\tacme\tCI bot\teditor\tPRODUCT\tTIME\t${expires}T00:00:00Z\t${state}\n`;
  const withoutTimes = (stdout: string) => stdout.replace(/20[\d-]+T[\d:]+Z/g, 'TIME');
  const saveIt = 'Save this API key now: only its hash is stored, so it cannot be shown again.';
  expect({ ...created, stdout: withoutTimes(created.stdout) }).toStrictEqual({
    code: 0,
    stdout: `${key}\n\n${saveIt}\n\n${line(keyId, '2999-01-01')}`,
    stderr: usedTable(),
  });

  const rotated = await apiKey(['rotate', keyId, '--until', '2998-01-01', '--expires', '2997-01-01']);
  const [newKey, newId] = [keyIn(rotated.stdout), idIn(rotated.stdout)];
  const old = `The old key:\n${line(keyId, '2998-01-01')}`;
  expect(withoutTimes(rotated.stdout)).toBe(`${newKey}\n\n${saveIt}\n\n${line(newId, '2997-01-01')}\n${old}`);
  expect([await status(key), await status(newKey)]).toStrictEqual([200, 200]);
  await apiKey(['rotate', keyId, '--keep', '0']);
  expect([await status(key), await status(newKey)]).toStrictEqual([401, 200]);

  expect((await apiKey(['revoke', newId])).stdout).toBe(`${newId} is revoked.\n`);
  expect(await status(newKey)).toBe(401);
  expect((await apiKey(['revoke', newId])).stdout).toBe(`${newId} was revoked before.\n`);
  expect(withoutTimes((await apiKey(['show', newId])).stdout)).toBe(line(newId, '2997-01-01', 'revoked'));
});

const name = 'Demo editor of another tenant';
const ofGlobex = `${head}key-globex\tglobex\t${name}\teditor\tPRODUCT\t2026-01-01T00:00:00Z\tnever\tactive\n`;
const record = { keyId: 'key-globex', tenantId: 'globex', scope: 'PRODUCT', roles: ['editor'] };
const asJson = JSON.stringify([{ ...record, name, createdAt: 1_767_225_600, state: 'active' }], null, 2);
const unknown = 'The table has no such API key. It may be incomplete, or expired and removed.\n';

test.each([
  ['list', '', { stdout: expect.stringMatching(/\nkey-admin\tacme.*\nkey-globex\tglobex/s) }],
  ['list --tenant globex', '', { stdout: ofGlobex }],
  ['list --tenant globex --json', '', { stdout: `${asJson}\n` }],
  ['identify', 'demo-globex-key\n', { stdout: ofGlobex }],
  ['identify', 'demo-globex-ke', { code: 1, stderr: unknown }],
  ['revoke key_x', '', { code: 1, stderr: 'There is no API key with the id key_x.\n' }],
])('npm run api-key -- %s, with "%s" on stdin', async (line, input, result) => {
  const { stderr, ...rest } = await apiKey(line.split(' '), input);
  const shown = { ...rest, stderr: stderr.replace(usedTable(), '') };
  expect(shown).toStrictEqual({ code: 0, stdout: '', stderr: '', ...result });
  expect(stderr.startsWith(usedTable())).toBe(true);
});

test('a table on AWS needs the settings of the user', async () => {
  const stderr = 'The table could not be used: Region is missing\n';
  expect(await apiKey(['list', '--table', 'x'])).toStrictEqual({ code: 1, stdout: '', stderr });
});

test('any record can be listed and revoked', async () => {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = new DynamoDBClient({ endpoint: project.endpoint, region: 'us-east-1', credentials });
  const put = (Item: Record<string, unknown>) => {
    const TableName = 'space-files-dev-api-keys';
    return DynamoDBDocumentClient.from(client).send(new PutCommand({ TableName, Item }));
  };
  const usable = { tenantId: 'acme', scope: 'PRODUCT', roles: ['editor'] };
  const uses = NumberValue.from('12345678901234567890.5');
  await put({ keyHash: hashApiKey('odd'), keyId: 'odd', ...usable, name: null, uses });
  await put({ keyHash: 'no-id', createdAt: 1e15 });
  const { stdout } = await apiKey(['list']);
  expect(stdout).toContain('\nodd\tacme\t-\teditor\tPRODUCT\t-\tnever\tactive\n');
  expect(stdout).toContain('\nno-id\t-\t-\t\t-\t1000000000000000\tnever\tunreadable\n');
  expect(await status('odd')).toBe(200);
  expect((await apiKey(['revoke', 'odd'])).stdout).toBe('odd is revoked.\n');
  expect(await status('odd')).toBe(401);
  expect((await apiKey(['revoke', 'no-id'])).stdout).toBe('no-id is revoked.\n');
});

test('with two npm start in one folder, the user must choose', async () => {
  const second = await startProject([], project.env);
  const { code, stderr } = await apiKey(['list']);
  const names = expect.stringContaining(`${second.endpoint} (of ${second.url})`);
  expect({ code, stderr }).toStrictEqual({ code: 1, stderr: names });
  expect(stderr).toContain(`${project.endpoint} (of ${project.url})`);
  const chosen = await apiKey(['list'], '', { AWS_ENDPOINT_URL_DYNAMODB: second.endpoint });
  expect(chosen).toMatchObject({ code: 0, stderr: expect.stringContaining(second.endpoint) });
  // SIGKILL leaves its state file behind.
  await second.stop('SIGKILL');
  expect((await apiKey(['show', 'key-globex'])).stderr).toBe(usedTable());
});

test('without a running npm start, a table must be named', async () => {
  const result = await apiKey(['list'], '', { SPACE_FILES_STATE_DIR: '/nowhere' });
  const stderr = 'No npm start is running. Run it, or set API_KEYS_TABLE, SPACES_TABLE and FILES_TABLE.\n';
  expect(result).toStrictEqual({ code: 1, stdout: '', stderr });
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
