import { expect, test } from 'vitest';
import { chooseOptimizations } from '#tools/build/optimizations.ts';
import { UsageError } from '#tools/cli.ts';
import serverlessPlugin from '#tools/serverless-plugin.ts';
import { run, runningProject } from '../support/processes.ts';

const all = [
  'env-credentials',
  'no-endpoint-discovery',
  'no-event-streams',
  'own-request-handler',
  'own-sha256',
  'primed',
];

test.each<[string[], boolean, string[]]>([
  [[], false, all],
  [[], true, [...all, 'code-cache']],
  [['primed', 'own-request-handler'], true, [...all.slice(0, 3), 'own-sha256', 'code-cache']],
])('without %j, code cache %s', (without, codeCache, optimizations) => {
  expect(chooseOptimizations(without, codeCache)).toStrictEqual(optimizations);
});

const unknown = (name: string) => `Unknown optimization "${name}"; known ones are ${all.join(', ')}.`;

test.each(['nothing', 'code-cache'])('there is no optimization %s to leave out', (name) => {
  expect(() => chooseOptimizations([name], false)).toThrow(new UsageError(unknown(name)));
});

test('an unknown option is one sentence', async () => {
  expect(await run(['tools/build.ts', '--nothing'])).toStrictEqual({
    code: 1,
    stdout: '',
    stderr: "Unknown option '--nothing'. Run `npm run build -- --help` to list the options.\n",
  });
});

test.each<[unknown, string]>([
  [{ without: ['nothing'], codeCache: false }, unknown('nothing')],
  [undefined, 'custom.build needs "without" and "codeCache".'],
  [{ without: [] }, 'custom.build needs "without" and "codeCache".'],
  [{ without: [], codeCache: false, minify: false }, 'custom.build needs "without" and "codeCache".'],
])('custom.build of serverless.yml: %j is rejected', async (build, message) => {
  const service = { custom: { build } };
  const { hooks } = serverlessPlugin({
    classes: { Error },
    processedInput: { commands: ['package'] },
    service,
  });
  await expect(hooks['before:package:createDeploymentArtifacts']()).rejects.toThrow(message);
});

const project = runningProject();
const invokeLocal = (env: NodeJS.ProcessEnv) => {
  const args = ['invoke', 'local', '-f', 'updateFile', '-p', 'events/cleared.json', '--stage', 'other'];
  return run(['node_modules/serverless/bin/serverless.js', ...args], env);
};

test('invoke local runs the function on the engine of a running npm start', async () => {
  const { code, stdout } = await invokeLocal(project.env);
  expect([code, JSON.parse(stdout.slice(stdout.indexOf('{\n'))).statusCode]).toStrictEqual([0, 200]);
  const alone = await invokeLocal({ ...project.env, SPACE_FILES_STATE_DIR: '/nowhere' });
  expect(alone.code).toBe(1);
  expect(alone.stdout).toContain('No engine is running: run `npm start` first');
});
