import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { bareEnvironment, run, startProject, temporaryFolder } from './support/processes.ts';

const folder = temporaryFolder();
afterAll(folder.remove);
const env = bareEnvironment({ SPACE_FILES_STATE_DIR: folder.path });
const stateFile = join(folder.path, 'engine.json');
const readState = () => JSON.parse(readFileSync(stateFile, 'utf8'));

const paste = async (command: string) => {
  const { stdout } = await promisify(execFile)('sh', ['-c', command.replace('curl -i', 'curl -si')]);
  return { status: Number(stdout.split(' ')[1]), body: JSON.parse(stdout.split('\r\n\r\n')[1] ?? '') };
};
const refuses = async (endpoint: string) =>
  fetch(endpoint).then(
    () => false,
    () => true,
  );

const detailedFile = {
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

test('the three printed requests do what the line above each says, and SIGTERM leaves nothing behind', async () => {
  const project = await startProject([], env);
  const { endpoint, pid } = readState();
  expect(pid).toBe(project.child.pid);
  const commands = project.printed().match(/^curl .*$/gm) ?? [];
  const answers = [];
  for (const command of commands) answers.push(await paste(command));
  expect(answers).toStrictEqual([
    { status: 200, body: detailedFile },
    { status: 200, body: { ...detailedFile, documentKind: null } },
    { status: 403, body: { message: 'API Key does not have permission to access this resource' } },
  ]);
  expect(project.printed()).toMatch(
    /ready at http:\/\/localhost:\d+ after \d+\.\d s \(embedded DynamoDB in memory\)\n/,
  );
  expect(await project.stop('SIGTERM')).toStrictEqual({ code: 0, complaints: '' });
  expect({ engineGone: await refuses(endpoint), state: existsSync(stateFile) }).toStrictEqual({
    engineGone: true,
    state: false,
  });
});

test.skipIf(process.platform === 'win32')('even SIGKILL takes the engine along', async () => {
  const project = await startProject([], env);
  const { endpoint } = readState();
  await project.stop('SIGKILL');
  // It ends a moment after us; the test's own timeout is the limit.
  while (!(await refuses(endpoint)));
});

test('--db keeps what was written across a restart', async () => {
  const db = ['--db', join(folder.path, 'data.db')];
  const first = await startProject(db, env);
  const [update = '', clear = ''] = first.printed().match(/^curl .*$/gm) ?? [];
  await paste(update);
  await first.stop();
  const second = await startProject(db, env);
  const [, clearAgain = ''] = second.printed().match(/^curl .*$/gm) ?? [];
  expect(clear).not.toBe('');
  expect((await paste(clearAgain)).body.summary).toBe('How the first day and the first week go.');
  await second.stop();
});

test('own data is served, and its keys are not printed', async () => {
  const data = join(folder.path, 'own.json');
  writeFileSync(
    data,
    JSON.stringify({
      apiKeys: [{ key: 'my secret', tenantId: 't', scope: 'PRODUCT', roles: ['editor'] }],
      spaces: [{ tenantId: 't', spaceId: 'a/b', ownerId: 'o', visibility: 'private' }],
      files: [{ spaceId: 'a/b', fileId: "it's", language: 'en', domain: 'd' }],
    }),
  );
  const project = await startProject(['--data', data], env);
  expect(project.printed()).not.toContain('my secret');
  const [update = ''] = project.printed().match(/^curl .*$/gm) ?? [];
  expect(await paste(`API_KEY='my secret'; ${update}`)).toMatchObject({ status: 200, body: { id: "it's" } });
  await project.stop();
});

test('a port that is taken is one sentence', async () => {
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  const address = holder.address();
  const port = typeof address === 'object' ? String(address?.port) : '';
  expect(await run(['local/start.ts', '--port', port], env)).toStrictEqual({
    code: 1,
    stdout: '',
    stderr: `Port ${port} is taken: stop what listens there, or choose another with --port.\n`,
  });
  expect(existsSync(stateFile)).toBe(false);
  holder.close();
});

test.each([
  [['--port', 'x'], '--port must be a number from 0 to 65535.\n'],
  [['--port', '65536'], '--port must be a number from 0 to 65535.\n'],
  [['--verbose'], "Unknown option '--verbose'; npm start -- --help shows what there is.\n"],
  [['--data', '/nowhere/my.json'], 'The data file /nowhere/my.json does not exist.\n'],
  [
    ['--db', '/nowhere/my.db'],
    'The embedded DynamoDB engine did not start with the database file /nowhere/my.db: Internal error: unable to open database file: /nowhere/my.db.\n',
  ],
])('%j is one sentence', async (args, stderr) => {
  expect(await run(['local/start.ts', ...args], env)).toStrictEqual({ code: 1, stdout: '', stderr });
});

test('an endpoint that does not answer is one sentence', async () => {
  const foreign = { ...env, AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:1' };
  expect(await run(['local/start.ts'], foreign)).toStrictEqual({
    code: 1,
    stdout: '',
    stderr: 'The tables could not be created at http://127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1.\n',
  });
});
