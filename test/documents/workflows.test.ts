import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { expectNone, read } from '#test/support/pages.ts';
import { projectRoot } from '#tools/project.ts';
import packageJson from '../../package.json' with { type: 'json' };

const PermissionsSchema = z.record(z.string(), z.string());
const JobSchema = z.looseObject({
  permissions: PermissionsSchema.optional(),
  strategy: z.looseObject({ matrix: z.looseObject({ lane: z.array(z.string()).default([]) }) }).optional(),
  steps: z.array(z.looseObject({ run: z.string().default('') })).default([]),
});
const WorkflowSchema = z.looseObject({
  permissions: PermissionsSchema,
  jobs: z.record(z.string(), JobSchema),
});
const RowSchema = z.object({ own: z.union([z.literal(1), z.literal('')]), node: z.string() });
const CiSchema = z.object({
  jobs: z.object({
    tests: z.object({ strategy: z.object({ matrix: z.object({ include: z.array(RowSchema) }) }) }),
  }),
});
const files = globSync('.github/workflows/*.yml', { cwd: projectRoot });
const yaml = files.map(read).join('\n');
/** The jobs of all workflows, with what holds for all jobs of theirs. */
const jobs = files.flatMap((path) => {
  const workflow = WorkflowSchema.parse(parse(read(path)));
  return Object.entries(workflow.jobs).map(([name, job]) => {
    const lanes = job.strategy?.matrix.lane.join(' ') ?? '';
    return {
      path,
      name,
      permissions: job.permissions ?? workflow.permissions,
      commands: job.steps.map(({ run }) => run.replace(/\${{ matrix\.lane }}/, lanes)).join('\n'),
      text: JSON.stringify({ ...workflow, jobs: { [name]: job } }),
    };
  });
});
const commands = jobs.map((job) => job.commands).join('\n');
const ofDeployment = jobs.filter(({ path }) => basename(path) === 'deploy.yml');
const jobOfDeployment = (job: string) =>
  ofDeployment.find(({ name }) => name === job) ?? expect.fail(`deploy.yml has no job ${job}`);

// What nobody starts by hand would else never run: those that take long, and what a machine lacks a tool for.
test('workflows run every lane of .ci/run, and no other', () => {
  const list = execFileSync('bash', [join(projectRoot, '.ci/run'), '--list'], { encoding: 'utf8' });
  const run = [...commands.matchAll(/\.ci\/run (.+)/g)].flatMap(([, names = '']) => names.split(' '));
  expect([...new Set(run)].sort()).toEqual(list.match(/^\S+/gm)?.sort());
});

// A variable that nobody reads leaves a lane green, and lets it do less than its title says.
test('each variable that a lane of .ci/run or its job sets is read', () => {
  const ofLanes = [...read('.ci/run').matchAll(/^.*npx vitest/gm)].flatMap(
    ([line]) => line.match(/\b[A-Z_]+(?==)/g) ?? [],
  );
  const ofJobs = [...yaml.matchAll(/^ +env: { (\w+): '\${{ (?:matrix|github\.run_number)/gm)].map(
    ([, name = '']) => name,
  );
  const code = globSync('test/**/*.ts', { cwd: projectRoot }).map(read).join('');
  const isRead = (name: string) =>
    code.includes(`process.env['${name}']`) || read('.ci/run').includes(`\${${name}:-`);
  const ofChromium = ['TMPDIR', 'AWS_EXECUTION_ENV'];
  const unread = [...ofLanes, ...ofJobs].filter((name) => !ofChromium.includes(name) && !isRead(name));
  expectNone(unread, '.ci/run or a workflow sets what nobody reads');
  expect([ofLanes, ofJobs]).not.toContainEqual([]);
});

// Each row runs the same lane, so a missing one leaves CI green.
test('CI runs npm test on the oldest Node, on that of package.json, and on the one of the install', () => {
  const oldest = /^>=(.+)$/.exec(packageJson.engines.node)?.[1];
  const rows = CiSchema.parse(parse(read('.github/workflows/ci.yml'))).jobs.tests.strategy.matrix.include;
  expect(rows.map(({ own, node }) => ({ own, node }))).toEqual([
    { own: 1, node: `${oldest}.0` },
    { own: 1, node: '' },
    { own: '', node: '' },
  ]);
});

const isWriter = (permissions: object) => Object.values(permissions).some((one) => one !== 'read');
test('the only job of deploy.yml that can get credentials deploys what another job has packaged', () => {
  const { commands: deploys, permissions } = jobOfDeployment('deploy');
  expect(permissions).toHaveProperty('id-token', 'write');
  const canWrite = ofDeployment.filter((job) => isWriter(job.permissions));
  expect(canWrite.map(({ name }) => name)).toEqual(['deploy']);
  expect(jobOfDeployment('package').commands).toContain('.github/package.sh "$STAGE" package ');
  expect(deploys).toContain('npx serverless deploy --package package ');
  expect(deploys).not.toMatch(/npm ci(?! --ignore-scripts)|npm (test|run)|build|serverless package/);
});

const withPipe = jobs.filter((job) => /(?<!\|)\|(?!\|)/.test(job.commands)).map(({ path }) => path);
// GitHub gives a shell that is named `pipefail`, and the one of a step that names none only `-e`.
test.each([...new Set(withPipe)])('a command of %s that fails before a pipe fails its step', (path) => {
  expect(parse(read(path)).defaults).toEqual({ run: { shell: 'bash' } });
});

// A lane may install packages that no lockfile pins (CONTRIBUTING.md, Tests).
test('each job that runs lanes may only read, and has no secret', () => {
  const wrong = jobs
    .filter((job) => job.commands.includes('.ci/run'))
    .filter(({ permissions, text }) => isWriter(permissions) || /secrets\.|"environment":/.test(text));
  expectNone(
    wrong.map(({ path, name }) => `${name} of ${path}`),
    'Jobs that run lanes may write, or have a secret',
  );
});

// Whoever rolls back gives a ref. A branch that nobody has reviewed must not get credentials by it.
test('deploy.yml tests, packages, deploys and checks one commit of main', () => {
  const refs = [
    ...read('.github/workflows/deploy.yml').matchAll(/actions\/checkout@.*\n.*ref: '\${{ (.+?) }}'/g),
  ];
  const tested = 'needs.test.outputs.commit';
  expect(refs.map(([, ref]) => ref)).toEqual(['inputs.ref', tested, tested, tested]);
  const { commands: tests } = jobOfDeployment('test');
  expect(tests).toMatch(/^\s*git merge-base --is-ancestor HEAD origin\/main\n/);
  expect(tests).toContain('.ci/run check tests');
});

// `npm ci` runs what CI, and whoever clones this, have not read. No package needs its script: the binary of esbuild is an
// optional dependency.
test('package.json denies the install script of each package', () => {
  const { '': _project, ...installed } = JSON.parse(read('package-lock.json')).packages;
  const withScript = Object.entries<{ hasInstallScript?: true }>(installed)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => [path.replace(/^.*node_modules\//, ''), false]);
  expect(JSON.parse(read('package.json')).allowScripts).toEqual(Object.fromEntries(withScript));
});

/** Folders that git does not keep are none of ours. */
const exclude = (path: string) => /(^|\/)(node_modules|coverage|dist|\.)/.test(path);
/** Locked by its content, so that it cannot be replaced unnoticed, and to no address, so that any registry serves it. */
test.each(globSync('**/package-lock.json', { cwd: projectRoot, exclude }))(
  '%s locks every package by its content, and none to an address',
  (file) => {
    const { '': project, ...installed } = JSON.parse(read(file)).packages;
    expect(project).toBeTypeOf('object');
    for (const [name, { integrity, resolved }] of Object.entries<Record<string, string>>(installed))
      expect({ name, integrity, resolved }).toEqual({
        name,
        integrity: expect.stringMatching(/^sha512-[\w+/]{86}==$/),
        resolved: undefined,
      });
  },
);
