import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { bareEnvironment, run, startProject, temporaryFolder } from '../support/processes.ts';

const folder = temporaryFolder();
afterAll(folder.remove);
const env = bareEnvironment({ SPACE_FILES_STATE_DIR: join(folder.path, 'state') });
const engineOf = () => JSON.parse(readFileSync(join(folder.path, 'state', 'engine.json'), 'utf8')).endpoint;

const isGone = async (endpoint: string) =>
  fetch(endpoint).then(
    () => false,
    () => true,
  );

/** Runs the printed commands in a shell. */
const paste = async (printed: string) => {
  const responses = [];
  for (const command of printed.match(/^curl .*$/gm) ?? []) {
    const { stdout } = await promisify(execFile)('sh', ['-c', command.replace('curl -i', 'curl -si')]);
    const [head = '', body = ''] = stdout.split('\r\n\r\n');
    responses.push({ status: Number(head.split(' ')[1]), body: JSON.parse(body) });
  }
  return responses;
};

const file = {
  id: '3f2b8c1e-6a4d-4c57-9e0f-1b7a2d9c5e80',
  originalName: 'onboarding.pdf',
  summary: 'How the first day and the first week go.',
  language: 'en',
  documentKind: 'guide',
  domain: 'hr',
  chunksCount: 12,
  charactersCount: 18450,
  tags: [
    { key: 'audience', value: 'new hires', aiExtracted: true },
    { key: 'status', value: 'approved', aiExtracted: false },
  ],
};

test('the printed requests do what they say, each leaves a line, and SIGTERM leaves nothing behind', async () => {
  const project = await startProject([], env);
  const endpoint = engineOf();
  expect(await paste(project.printed())).toStrictEqual([
    { status: 200, body: file },
    { status: 200, body: { ...file, documentKind: null } },
    { status: 403, body: { message: 'API Key does not have permission to access this resource' } },
  ]);
  expect(await project.stop('SIGTERM')).toStrictEqual({ code: 0, stderr: '' });
  const lines = project
    .printed()
    .replace(/\d+\.\d s/, 'N s')
    .replace(/\d+ ms/g, 'N ms')
    .split('\n');
  const path = '/v1/spaces/handbook/files/3f2b8c1e-6a4d-4c57-9e0f-1b7a2d9c5e80';
  expect(lines.filter((line) => /^(space-files|PATCH)/.test(line))).toStrictEqual([
    `space-files is ready at ${project.url} after N s (embedded DynamoDB in memory)`,
    `PATCH ${path}  200  N ms  updated`,
    `PATCH ${path}  200  N ms  updated`,
    expect.stringMatching(/^PATCH \S+ {2}403 {2}N ms {2}[a-z-]+: /),
  ]);
  expect([await isGone(endpoint), readdirSync(join(folder.path, 'state'))]).toStrictEqual([true, []]);
});

test.skipIf(process.platform === 'win32')('the engine ends even when npm start is killed', async () => {
  const project = await startProject([], env);
  const endpoint = engineOf();
  await project.stop('SIGKILL');
  await expect.poll(() => isGone(endpoint), { timeout: 10_000 }).toBe(true);
});

test('--db keeps the data after a restart, and --log prints the log of the function', async () => {
  const args = ['--db', join(folder.path, 'data.db'), '--log'];
  const first = await startProject(args, env);
  const [update = '', clear = ''] = first.printed().match(/^curl .*$/gm) ?? [];
  await paste(update);
  await first.stop();
  expect(first.printed()).toContain('"outcome":"updated"');
  const second = await startProject(args, env);
  const [response] = await paste(clear.replace(first.url, second.url));
  expect(response?.body.summary).toBe(file.summary);
  await second.stop();
});

const holder = createServer().listen(0, '127.0.0.1');
await once(holder, 'listening');
afterAll(() => void holder.close());
const address = holder.address();
const taken = typeof address === 'object' ? String(address?.port) : '';

const closed = 'http://127.0.0.1:1';
const onAws = 'https://dynamodb.eu-west-1.amazonaws.com';
const noDatabaseFile = 'The embedded DynamoDB engine did not start with the database file /nowhere/my.db: ';

test.each([
  [`--port ${taken}`, '', `Port ${taken} cannot be used (EADDRINUSE): choose another with --port.`],
  ['--port x', '', '--port must be a number from 0 to 65535.'],
  ['--port 65536', '', '--port must be a number from 0 to 65535.'],
  ['--db=', '', '--data and --db must name a file.'],
  ['--verbose', '', "Unknown option '--verbose'. Run `npm start -- --help` to list the options."],
  ['--data /nowhere/my.json', '', 'The data file /nowhere/my.json does not exist.'],
  [
    '--db /nowhere/my.db',
    '',
    `${noDatabaseFile}Internal error: unable to open database file: /nowhere/my.db.`,
  ],
  ['', closed, `The tables could not be created at ${closed}: connect ECONNREFUSED 127.0.0.1:1.`],
  ['--db x', closed, '--db needs the embedded engine: unset AWS_ENDPOINT_URL_DYNAMODB, or omit --db.'],
  ['', onAws, 'The demo API keys are public. npm start does not load them into a DynamoDB on AWS.'],
])('npm start -- %s on the endpoint "%s" ends with one sentence', async (line, endpoint, sentence) => {
  const args = ['tools/dev-server/start.ts', ...line.split(' ').filter(Boolean)];
  const result = await run(args, { ...env, AWS_ENDPOINT_URL_DYNAMODB: endpoint });
  expect(result).toStrictEqual({ code: 1, stdout: '', stderr: `${sentence}\n` });
});
