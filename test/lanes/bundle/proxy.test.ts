import { hash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createSend } from '#test/lanes/smoke/http.ts';
import { readChanges } from '#test/support/changes.ts';
import { run, runningProject } from '#test/support/processes.ts';
import { listen } from '#tools/listen.ts';

/** What a proxy was asked for. It connects to nothing. */
let asked: string[] = [];
const proxy = createServer((request, response) => {
  asked.push(`${request.method} ${request.url}`);
  response.writeHead(502).end();
}).on('connect', (request, socket) => {
  asked.push(`CONNECT ${request.url}`);
  socket.on('error', () => undefined).end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
});
const names = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY', 'no_proxy', 'NO_PROXY'];
let variables: Record<string, string>;
beforeAll(async () => {
  const url = `http://127.0.0.1:${await listen(proxy)}`;
  variables = Object.fromEntries(names.map((name) => [name, /no/i.test(name) ? '' : url]));
});
afterAll(() => proxy.close());
beforeEach(() => {
  asked = [];
});

const project = runningProject();
const tables = { API_KEYS_TABLE: 'a', SPACES_TABLE: 'b', FILES_TABLE: 'c' };
const aws = {
  ...tables,
  AWS_REGION: 'eu-west-1',
  AWS_ACCESS_KEY_ID: 'x',
  AWS_SECRET_ACCESS_KEY: 'x',
  AWS_MAX_ATTEMPTS: '1',
};
const inFolder = (name: string, content: string): string => {
  const file = join(project.path, name);
  writeFileSync(file, content);
  return file;
};
const dataFile = inFolder('data.json', '{}');
const runTool = (args: string[], more: Record<string, string>) =>
  run([join('tools', 'tables', args[0] ?? ''), ...args.slice(1)], { ...project.env, ...variables, ...more });

test.each([
  ['api-key -- list', ['api-key.ts', 'list']],
  ['api-key -- revoke', ['api-key.ts', 'revoke', 'key-1']],
  ['seed -- write', ['seed.ts', 'write', dataFile, '--yes']],
])('`npm run %s` calls AWS through the proxy of HTTPS_PROXY', async (_, args) => {
  const { code, stdout } = await runTool(args, aws);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect([...new Set(asked)]).toEqual(['CONNECT dynamodb.eu-west-1.amazonaws.com:443']);
});

test('NO_PROXY names what is called without the proxy', async () => {
  const direct = { no_proxy: 'db.invalid', AWS_ENDPOINT_URL_DYNAMODB: 'https://db.invalid' };
  const { stderr } = await runTool(['api-key.ts', 'list'], { ...aws, ...direct });
  expect(stderr).toMatch(/getaddrinfo \w+ db\.invalid/);
  expect(asked).toEqual([]);
});

const profiles = `[profile role]
role_arn = arn:aws:iam::123456789012:role/name
source_profile = user
[profile user]
aws_access_key_id = x
aws_secret_access_key = x
[profile sso]
sso_session = company
sso_account_id = 123456789012
sso_role_name = name
[sso-session company]
sso_start_url = https://company.invalid/start
sso_region = eu-west-1
`;
// What `aws sso login` leaves in the home.
const cache = join('.aws', 'sso', 'cache');
mkdirSync(join(project.path, cache), { recursive: true });
const token = { accessToken: 'x', expiresAt: '2999-01-01T00:00:00Z' };
inFolder(join(cache, `${hash('sha1', 'company')}.json`), JSON.stringify(token));

test.each([
  ['role', 'sts.eu-west-1.amazonaws.com'],
  ['sso', 'portal.sso.eu-west-1.amazonaws.com'],
])('the credentials of a profile with %s come through the proxy', async (AWS_PROFILE, host) => {
  const settings = { AWS_PROFILE, AWS_CONFIG_FILE: inFolder('config', profiles), HOME: project.path };
  const { code } = await runTool(['api-key.ts', 'list'], { ...tables, ...settings, AWS_REGION: 'eu-west-1' });
  expect([code, ...new Set(asked)]).toEqual([1, `CONNECT ${host}:443`]);
});

test('a service is called through the proxy', async () => {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  const send = createSend('https://api.invalid');
  await expect(send({ method: 'GET', path: '/', headers: [], body: '' })).rejects.toThrow();
  expect(asked).toEqual(['CONNECT api.invalid:443']);
});

test('the smoke test reads the table and its stream through the proxy', async () => {
  for (const [name, value] of Object.entries({ ...aws, ...variables })) vi.stubEnv(name, value);
  await expect(readChanges('c')).rejects.toThrow();
  expect([...new Set(asked)]).toEqual(['CONNECT dynamodb.eu-west-1.amazonaws.com:443']);
});

test('what is on this machine is called without the proxy', async () => {
  const { code } = await runTool(['api-key.ts', 'list'], {});
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  const { status } = await createSend(project.url)({ method: 'GET', path: '/', headers: [], body: '' });
  expect({ code, status, asked }).toEqual({ code: 0, status: 302, asked: [] });
});
