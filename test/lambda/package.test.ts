import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { bareEnvironment, copyProject, execute, temporaryFolder } from '#test/support/processes.ts';
import { projectRoot } from '#tools/project.ts';
import { clientFile } from './setup.ts';

const copy = temporaryFolder();
afterAll(copy.remove);
copyProject(copy.path);
const script = join(copy.path, '.github', 'package.sh');
cpSync(join(projectRoot, '.github', 'package.sh'), script);

/** Docker does not run everywhere. What is in its place starts programs of this machine. */
const env = bareEnvironment({
  PATH: [join(import.meta.dirname, 'bin'), process.env['PATH']].join(delimiter),
  LAMBDA_NODE: process.execPath,
  LAMBDA_CLIENT: clientFile,
});
const runScript = (name: string) =>
  execute(join(copy.path, '.github', name), ['prod', 'packaged', '--param', 'runbook=RUNBOOK'], {
    env,
    cwd: '/',
  });

test('package.sh writes a package whose code cache Lambda accepts', async () => {
  const { code, stdout } = await runScript('package.sh');
  expect([code, stdout]).toEqual([0, expect.stringContaining('"codeCache":"accepted"')]);
  const folder = join(copy.path, 'packaged');
  expect(readdirSync(folder)).toEqual([
    'cloudformation-template-create-stack.json',
    'cloudformation-template-update-stack.json',
    'serverless-state.json',
    'space-files.zip',
    expect.stringMatching(/^update-file\.cjs\.[0-9a-f]{16}\.map$/),
  ]);
  const template = readFileSync(join(folder, 'cloudformation-template-update-stack.json'), 'utf8');
  expect(template).toContain('What to do: RUNBOOK#lambda-errors');
});

test.each([
  ['the flags of Lambda', '--env NODE_OPTIONS=--expose-gc ', 'rejected'],
  ['a code cache', '--param codeCache=true ', 'absent'],
])('package.sh fails without %s', async (_, removed, codeCache) => {
  const source = readFileSync(script, 'utf8');
  expect(source.split(removed)).toHaveLength(2);
  writeFileSync(join(copy.path, '.github', 'changed.sh'), source.replace(removed, ''), { mode: 0o755 });
  const { code, stdout, stderr } = await runScript('changed.sh');
  expect([code, stdout]).toEqual([1, expect.stringContaining(`"codeCache":"${codeCache}"`)]);
  expect(stderr).toContain("Lambda's Node did not accept the code cache of update-file.");
});
