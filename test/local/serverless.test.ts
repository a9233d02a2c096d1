import { afterAll, expect, test } from 'vitest';
import { bareEnvironment, run, startProject, temporaryFolder } from './support/processes.ts';

const folder = temporaryFolder();
afterAll(folder.remove);
const env = bareEnvironment({ SPACE_FILES_STATE_DIR: folder.path });
const serverless = (...args: string[]) => run(['node_modules/serverless/bin/serverless.js', ...args], env);

test('invoke local runs the function on the engine of a running npm start, and says so when there is none', async () => {
  const invoke = () =>
    serverless('invoke', 'local', '-f', 'updateFile', '-p', 'events/cleared.json', '--stage', 'other');
  const alone = await invoke();
  expect({
    code: alone.code,
    says: alone.stdout.includes('No engine is running: run `npm start` first'),
  }).toStrictEqual({
    code: 1,
    says: true,
  });
  const project = await startProject([], env);
  const { code, stdout } = await invoke();
  await project.stop();
  expect(code).toBe(0);
  expect(JSON.parse(stdout.slice(stdout.indexOf('{\n')))).toMatchObject({ statusCode: 200 });
});
