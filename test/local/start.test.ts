import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { writeOwnData } from './support/own-data.ts';
import { bareEnvironment, startProject, temporaryFolder } from './support/processes.ts';

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
  const project = await startProject(['--data', writeOwnData(folder.path)], env);
  expect(project.printed()).not.toContain('my secret');
  const [update = ''] = project.printed().match(/^curl .*$/gm) ?? [];
  expect(await paste(`API_KEY='my secret'; ${update}`)).toMatchObject({ status: 200, body: { id: "it's" } });
  await project.stop();
});
