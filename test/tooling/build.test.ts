import { expect, test } from 'vitest';
import { readOptimizations } from '#tools/build/optimizations.ts';
import { run, runningProject } from '../support/processes.ts';

const sdk = [
  ...['env-credentials', 'no-endpoint-discovery', 'no-event-streams', 'own-request-handler'],
  'own-sha256',
];

test.each<[object, string[]]>([
  [{ without: [], codeCache: false }, [...sdk, 'primed']],
  [{ without: ['primed'], codeCache: true }, [...sdk, 'code-cache']],
])('the optimizations of %j', (options, optimizations) => {
  expect(readOptimizations(options)).toStrictEqual(optimizations);
});

test.each([
  [{ without: ['code-cache'], codeCache: false }, /Invalid option.*at without\[0\]/s],
  [{ without: [] }, /expected boolean.*at codeCache/s],
  [{ without: [], codeCache: false, minify: false }, /Unrecognized key: "minify"/],
])('custom.build of serverless.yml: %j is rejected', (options, problem) => {
  expect(() => readOptimizations(options)).toThrow(problem);
});

const project = runningProject();

test('invoke local runs the function on the engine of a running npm start', async () => {
  const args = ['invoke', 'local', '-f', 'updateFile', '-p', 'events/cleared.json', '--stage', 'other'];
  const invokeLocal = (env: NodeJS.ProcessEnv) =>
    run(['node_modules/serverless/bin/serverless.js', ...args], env);
  const { code, stdout } = await invokeLocal(project.env);
  expect([code, JSON.parse(stdout.slice(stdout.indexOf('{\n'))).statusCode]).toStrictEqual([0, 200]);
  const alone = await invokeLocal({ ...project.env, SPACE_FILES_STATE_DIR: '/nowhere' });
  expect(alone.code).toBe(1);
  expect(alone.stdout).toContain('No engine is running: run `npm start` first');
});
