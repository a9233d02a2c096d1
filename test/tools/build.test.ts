import { expect, test } from 'vitest';
import { run, runningProject } from '#test/support/processes.ts';
import { defaultOptimizations, readOptimizations } from '#tools/build/optimizations.ts';

test('readOptimizations uses all but those that are left out, and the code cache only if it is asked to', () => {
  expect(readOptimizations({ without: [], codeCache: false })).toStrictEqual(defaultOptimizations);
  const kept = defaultOptimizations.filter((name) => name !== 'primed');
  expect(readOptimizations({ without: ['primed'], codeCache: true })).toStrictEqual([...kept, 'code-cache']);
});

test.each([
  [{ without: ['code-cache'], codeCache: false }, /Invalid option.*at without\[0\]/s],
  [{ without: [], codeCache: false, minify: false }, /Unrecognized key: "minify"/],
])('readOptimizations rejects %j in custom.build of serverless.yml', (options, problem) => {
  expect(() => readOptimizations(options)).toThrow(problem);
});

const project = runningProject();

test('`serverless invoke local` runs the function on the engine of a running npm start', async () => {
  const args = ['invoke', 'local', '-f', 'updateFile', '-p', 'events/cleared.json', '--stage', 'other'];
  const invokeLocal = (env: NodeJS.ProcessEnv) =>
    run(['node_modules/serverless/bin/serverless.js', ...args], env);
  const [connected, alone] = await Promise.all([
    invokeLocal(project.env),
    invokeLocal({ ...project.env, SPACE_FILES_STATE_DIR: '/nowhere' }),
  ]);
  // Its stdout says what went wrong.
  expect(connected).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ +"statusCode": 200,$/m) });
  expect(alone.code).toBe(1);
  expect(alone.stdout).toContain('No engine is running: run `npm start` first');
});
