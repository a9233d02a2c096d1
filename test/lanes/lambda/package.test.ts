import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { bareEnvironment, copyProject, execute, temporaryFolder } from '#test/support/processes.ts';
import { projectRoot } from '#tools/project.ts';
import { readServerlessConfig } from '#tools/serverless-config.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import { clientFile } from './setup.ts';

const ComponentsSchema = z.object({ components: z.array(z.object({ name: z.string() })) });

const { path: folder, remove } = temporaryFolder();
afterAll(remove);
const copy = join(folder, 'copy');
copyProject(copy);
cpSync(join(projectRoot, '.github'), join(copy, '.github'), { recursive: true });
const script = join(copy, '.github', 'package.sh');

/** Docker does not run everywhere. What is in its place starts programs of this machine. */
const env = bareEnvironment({
  PATH: [join(import.meta.dirname, 'bin'), process.env['PATH']].join(delimiter),
  LAMBDA_NODE: process.execPath,
  LAMBDA_CLIENT: clientFile,
  LAMBDA_IMAGE: readServerlessConfig().runtime.replace(/^nodejs(\d+)\.x$/, 'public.ecr.aws/lambda/nodejs:$1'),
});

const StepSchema = z.object({
  run: z.string().default(''),
  env: z.record(z.string(), z.string()).default({}),
});
const WorkflowSchema = z.object({
  jobs: z.record(z.string(), z.object({ steps: z.array(StepSchema).default([]) })),
});
/** What GitHub puts in the place of an expression. */
const values = new Map([
  ['inputs.stage', 'prod'],
  ['needs.test.outputs.commit', '4de15dad'],
  ['needs.version.outputs.commit', '4de15dad'],
  ['github.server_url', 'https://github.example'],
  ['github.repository', 'acme/space-files'],
  ['github.ref_name', 'v1.0.0'],
]);
const evaluate = (text: string) =>
  text.replace(/\${{ (.+?) }}/g, (_, name) => values.get(name) ?? expect.unreachable(name));

/** Runs the only step of a workflow that has a command, as GitHub does. */
const runStep = (workflow: string, command: string, cwd: string, ofGitHub: Record<string, string> = {}) => {
  const yaml: unknown = parse(readFileSync(join(projectRoot, '.github', 'workflows', workflow), 'utf8'));
  const steps = Object.values(WorkflowSchema.parse(yaml).jobs).flatMap((job) => job.steps);
  const [step = expect.fail(`No step of ${workflow} has ${command}`), ...others] = steps.filter(({ run }) =>
    run.includes(command),
  );
  expect(others).toEqual([]);
  const ofStep = Object.entries(step.env).map(([name, value]) => [name, evaluate(value)]);
  const variables = { ...env, ...ofGitHub, ...Object.fromEntries(ofStep) };
  return execute('bash', ['-euo', 'pipefail', '-c', step.run], { env: variables, cwd });
};

test.each([
  ['deploy.yml', 'https://github.example/acme/space-files/blob/HEAD/docs/operations.md'],
  ['release.yml', 'https://github.example/acme/space-files/blob/v1.0.0/docs/operations.md'],
])(
  'the package of %s has a code cache that Lambda accepts, the commit, and the address of the runbook',
  async (workflow, runbook) => {
    const { code, stdout } = await runStep(workflow, '.github/package.sh', copy);
    expect([code, stdout]).toEqual([0, expect.stringContaining('"codeCache":"accepted"')]);
    const packaged = join(copy, 'package');
    expect(readdirSync(packaged)).toEqual([
      'cloudformation-template-create-stack.json',
      'cloudformation-template-update-stack.json',
      'serverless-state.json',
      'space-files.zip',
      expect.stringMatching(/^update-file\.cjs\.[0-9a-f]{16}\.map$/),
    ]);
    const template = readFileSync(join(packaged, 'cloudformation-template-update-stack.json'), 'utf8');
    const [, commit] = /"COMMIT": "(.*)"/.exec(template) ?? [];
    const [, address] = /What to do: (.*)#lambda-errors"/.exec(template) ?? [];
    expect({ commit, address }).toEqual({ commit: '4de15dad', address: runbook });
  },
);

test.each(['deploy.yml', 'release.yml'])('%s accepts only commits of main', async (workflow) => {
  const repository = join(folder, workflow);
  mkdirSync(repository);
  const run = (command: string) => execute('bash', ['-euc', command], { env, cwd: repository });
  const commit = 'git -c user.name=grace -c user.email=grace@example.com commit --quiet --allow-empty -m';
  const onMain = `${commit} older && ${commit} newest && git update-ref refs/remotes/origin/main HEAD`;
  expect(await run(`git init --quiet && ${onMain} && ${commit} unreviewed`)).toMatchObject({ code: 0 });
  const codeAt = async (revision: string) => {
    expect(await run(`git checkout --quiet ${revision}`)).toMatchObject({ code: 0 });
    return (await runStep(workflow, 'git merge-base', repository)).code;
  };
  expect(await codeAt('HEAD')).toBe(1);
  expect(await codeAt('origin/main')).toBe(0);
  expect(await codeAt('origin/main~1')).toBe(0);
});

test('release.yml accepts only the tag of the version of package.json', async () => {
  const codeOf = async (GITHUB_REF_NAME: string) =>
    (await runStep('release.yml', 'package.json)', copy, { GITHUB_REF_NAME })).code;
  const { version } = packageJson;
  expect([await codeOf(`v${version}`), await codeOf(version), await codeOf(`v${version}1`)]).toEqual([
    0, 1, 1,
  ]);
});

// In this folder, because npm does not follow a link to node_modules. So without the file that the command writes.
test.each(['deploy.yml', 'release.yml'])(
  '%s lists what the function can be made of, and no tool',
  async (workflow) => {
    const text = readFileSync(join(projectRoot, '.github', 'workflows', workflow), 'utf8');
    const [command = expect.unreachable()] = /npm sbom [^>]+/.exec(text) ?? [];
    const { stdout } = await execute('bash', ['-euo', 'pipefail', '-c', command], { env, cwd: projectRoot });
    const names = ComponentsSchema.parse(JSON.parse(stdout)).components.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(Object.keys(packageJson.dependencies)));
    const tools = Object.keys({ ...packageJson.devDependencies, ...packageJson.optionalDependencies });
    // The handler that bench/ compares with has it too.
    expect(names.filter((name) => tools.includes(name))).toEqual(['@middy/util']);
  },
);

test.each([
  ['the flags of Lambda', '--env NODE_OPTIONS=--expose-gc ', 'rejected'],
  ['a code cache', '--param codeCache=true ', 'absent'],
])('package.sh fails without %s', async (_, removed, codeCache) => {
  const source = readFileSync(script, 'utf8');
  expect(source.split(removed)).toHaveLength(2);
  const changed = join(copy, '.github', 'changed.sh');
  writeFileSync(changed, source.replace(removed, ''), { mode: 0o755 });
  const { code, stdout, stderr } = await execute(changed, ['prod', 'package'], { env, cwd: '/' });
  expect([code, stdout]).toEqual([1, expect.stringContaining(`"codeCache":"${codeCache}"`)]);
  expect(stderr).toContain("Lambda's Node did not accept the code cache of update-file.");
});
