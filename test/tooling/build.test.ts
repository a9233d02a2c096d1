import { expect, test } from 'vitest';
import { chooseOptimizations } from '#tools/build/optimizations.ts';
import serverlessPlugin from '#tools/serverless-plugin.ts';
import { run, runningProject } from '../support/processes.ts';

const sdk = [
  'env-credentials',
  'no-endpoint-discovery',
  'no-event-streams',
  'own-request-handler',
  'own-sha256',
];
const all = [...sdk, 'primed'];

test.each<[string[], boolean, string[]]>([
  [[], false, all],
  [[], true, [...all, 'code-cache']],
  [['primed'], true, [...sdk, 'code-cache']],
])('without %j, code cache %s', (without, codeCache, optimizations) => {
  expect(chooseOptimizations(without, codeCache)).toStrictEqual(optimizations);
});

const incomplete = 'custom.build needs "without" and "codeCache".';
const unknown = (name: string) => `Unknown optimization "${name}"; known ones are ${all.join(', ')}.`;

test.each(['nothing', 'code-cache'])('npm run build -- --without %s is rejected', async (name) => {
  const result = await run(['tools/build.ts', '--without', name]);
  expect(result).toStrictEqual({ code: 1, stdout: '', stderr: `${unknown(name)}\n` });
});

test.each<[unknown, string]>([
  [{ without: ['nothing'], codeCache: false }, unknown('nothing')],
  [{ without: [] }, incomplete],
  [{ without: [], codeCache: false, minify: false }, incomplete],
])('custom.build of serverless.yml: %j is rejected', async (build, message) => {
  const input = { processedInput: { commands: ['package'] }, service: { custom: { build } } };
  const { hooks } = serverlessPlugin({ classes: { Error }, ...input });
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
