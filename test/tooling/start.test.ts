import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { bareEnvironment, run, startProject, temporaryFolder, writeOwnData } from '../support/processes.ts';

const folder = temporaryFolder();
afterAll(folder.remove);
const state = join(folder.path, 'state');
const env = bareEnvironment({ SPACE_FILES_STATE_DIR: state });
const engineOf = () => JSON.parse(readFileSync(join(state, 'engine.json'), 'utf8')).endpoint;

const isGone = (endpoint: string) =>
  fetch(endpoint).then(
    () => false,
    () => true,
  );

const ids = (apiKey: string) => ({ 'x-api-key': apiKey, 'x-tenant-id': 'acme', 'x-user-id': 'grace' });
const path = '/v1/spaces/handbook/files/3f2b8c1e-6a4d-4c57-9e0f-1b7a2d9c5e80';
const update = (url: string, body: object, headers: Record<string, string> = ids('demo-editor-key')) =>
  fetch(url, {
    method: 'PATCH',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

test('each request leaves a line, and SIGTERM leaves nothing behind', async () => {
  const project = await startProject([], env);
  const endpoint = engineOf();
  await update(project.url + path, { summary: 'x' });
  await update(project.url + path, { summary: 'x' }, ids('demo-viewer-key'));
  await fetch(`${project.url}/v1`);
  expect(await project.stop('SIGTERM')).toStrictEqual({ code: 0, stderr: '' });
  expect(project.printed().replace(/\d+ ms/g, 'N ms')).toBe(
    `space-files is ready at ${project.url} (DynamoDB at ${endpoint})
Try it at ${project.url}/docs. Press Ctrl-C to stop it.

PATCH ${path}  200  N ms  updated
PATCH ${path}  403  N ms  permission-denied: no role of the key grants files:update
GET /v1  404  N ms  Not Found (from the gateway)
`,
  );
  expect(readdirSync(state)).toStrictEqual([]);
  await expect.poll(() => isGone(endpoint), { timeout: 10_000 }).toBe(true);
});

test('the engine ends even when npm start is killed', async () => {
  const project = await startProject([], env);
  const endpoint = engineOf();
  await project.stop('SIGKILL');
  await expect.poll(() => isGone(endpoint), { timeout: 10_000 }).toBe(true);
});

test('--db keeps the data after a restart, and --log prints the log of the function', async () => {
  const args = ['--db', join(folder.path, 'data.db'), '--log'];
  const first = await startProject(args, env);
  await update(first.url + path, { summary: 'kept' });
  await first.stop();
  expect(first.printed()).toContain('"outcome":"updated"');
  const second = await startProject(args, env);
  const response = await update(second.url + path, { documentKind: null });
  expect(await response.json()).toMatchObject({ summary: 'kept', documentKind: null });
  await second.stop();
});

test('--data serves own records, and prints no API key of them', async () => {
  const project = await startProject(['--data', writeOwnData(folder.path)], env);
  const headers = { 'x-api-key': 'my secret', 'x-tenant-id': 't', 'x-user-id': 'o' };
  const { status } = await update(`${project.url}/v1/spaces/a%2Fb/files/it's`, { summary: 'x' }, headers);
  await project.stop();
  expect(status).toBe(200);
  expect(project.printed()).not.toContain('my secret');
});

const holder = createServer().listen(0, '127.0.0.1');
await once(holder, 'listening');
afterAll(() => void holder.close());
const address = holder.address();
const taken = typeof address === 'object' ? String(address?.port) : '';

const closed = 'http://127.0.0.1:1';
const onAws = 'https://dynamodb.eu-west-1.amazonaws.com';

test.each([
  [`--port ${taken}`, '', `listen EADDRINUSE: address already in use 127.0.0.1:${taken}`],
  ['--port 65536', '', 'options.port should be >= 0 and < 65536'],
  ['--verbose', '', "Unknown option '--verbose'"],
  ['--data /nowhere/my.json', '', "ENOENT: no such file or directory, open '/nowhere/my.json'"],
  ['--db /nowhere/my.db', '', 'unable to open database file: /nowhere/my.db'],
  ['', closed, 'connect ECONNREFUSED 127.0.0.1:1'],
  ['--db x', closed, '--db needs the embedded engine.'],
  ['', onAws, 'The demo API keys are public. npm start does not load them into a DynamoDB on AWS.'],
])('npm start -- %s on the endpoint "%s" ends with one line', async (line, endpoint, problem) => {
  const args = ['tools/dev-server/start.ts', ...line.split(' ').filter(Boolean)];
  const { code, stdout, stderr } = await run(args, { ...env, AWS_ENDPOINT_URL_DYNAMODB: endpoint });
  expect([code, stdout, stderr.split('\n').length]).toStrictEqual([1, '', 2]);
  expect(stderr).toContain(problem);
});
