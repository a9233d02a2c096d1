import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { expectNone } from '#test/support/pages.ts';
import { projectRoot } from '#tools/project.ts';
import packageJson from '../../package.json' with { type: 'json' };

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8');
const MatrixSchema = z.object({ matrix: z.object({ lane: z.array(z.string()).default([]) }) });
const JobSchema = z
  .object({
    permissions: z.record(z.string(), z.string()).default({}),
    strategy: MatrixSchema.optional(),
    steps: z.array(z.object({ run: z.string().default('') })).default([]),
  })
  .transform(({ steps, strategy, ...job }) => {
    const lanes = strategy?.matrix.lane.join(' ') ?? '';
    const commands = steps.map(({ run }) => run.replace(/\${{ matrix\.lane }}/, lanes)).join('\n');
    return { ...job, commands };
  });
const WorkflowSchema = z.object({ jobs: z.record(z.string(), JobSchema) });
const RowSchema = z.object({ own: z.union([z.literal(1), z.literal('')]), node: z.string() });
const CiSchema = z.object({
  jobs: z.object({
    tests: z.object({ strategy: z.object({ matrix: z.object({ include: z.array(RowSchema) }) }) }),
  }),
});
const files = globSync('.github/workflows/*.yml', { cwd: projectRoot });
const yaml = files.map(read).join('\n');
const workflows = files.map((path) => WorkflowSchema.parse(parse(read(path))));
const commands = workflows.flatMap(({ jobs }) => Object.values(jobs).map((job) => job.commands)).join('\n');
const deployment = WorkflowSchema.parse(parse(read('.github/workflows/deploy.yml')));

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

test('the only job of deploy.yml that can get credentials deploys what another job has packaged', () => {
  const { deploy = expect.unreachable(), ...others } = deployment.jobs;
  expect(deploy.permissions).toHaveProperty('id-token', 'write');
  for (const { permissions } of Object.values(others))
    expect(Object.values(permissions)).toEqual(Object.keys(permissions).map(() => 'read'));
  expect(others['package']?.commands).toContain('.github/package.sh "$STAGE" package ');
  expect(deploy.commands).toContain('npx serverless deploy --package package ');
  expect(deploy.commands).not.toMatch(/npm ci(?! --ignore-scripts)|npm (test|run)|build|serverless package/);
});

const hasPipe = (path: string) =>
  Object.values(WorkflowSchema.parse(parse(read(path))).jobs).some(({ commands }) =>
    /(?<!\|)\|(?!\|)/.test(commands),
  );
// GitHub gives a shell that is named `pipefail`, and the one of a step that names none only `-e`.
test.each(files.filter(hasPipe))('a command of %s that fails before a pipe fails its step', (path) => {
  expect(parse(read(path)).defaults).toEqual({ run: { shell: 'bash' } });
});

const PermissionsSchema = z.record(z.string(), z.string());
const AnyWorkflowSchema = z.object({
  permissions: PermissionsSchema,
  jobs: z.record(z.string(), z.looseObject({ permissions: PermissionsSchema.optional() })),
});
// A lane may install packages that no lockfile pins (CONTRIBUTING.md, Tests).
test('each job that runs lanes may only read, and has no secret', () => {
  const ofLanes = globSync('.github/workflows/*.yml', { cwd: projectRoot }).flatMap((path) => {
    const { permissions, jobs } = AnyWorkflowSchema.parse(parse(read(path)));
    return Object.entries(jobs)
      .filter(([, job]) => JSON.stringify(job).includes('.ci/run'))
      .map(([name, job]) => ({ ...job, name, permissions: job.permissions ?? permissions }));
  });
  const names = ofLanes.map(({ name }) => name).sort();
  expect(names).toEqual(['browser', 'bundle', 'check', 'engines', 'long', 'other-machines', 'test', 'tests']);
  for (const { permissions, ...job } of ofLanes) {
    expect(new Set(Object.values(permissions))).toEqual(new Set(['read']));
    expect(JSON.stringify(job)).not.toMatch(/secrets\.|"environment":/);
  }
});

// Whoever rolls back gives a ref. A branch that nobody has reviewed must not get credentials by it.
test('deploy.yml tests, packages, deploys and checks one commit of main', () => {
  const refs = [
    ...read('.github/workflows/deploy.yml').matchAll(/actions\/checkout@.*\n.*ref: '\${{ (.+?) }}'/g),
  ];
  const tested = 'needs.test.outputs.commit';
  expect(refs.map(([, ref]) => ref)).toEqual(['inputs.ref', tested, tested, tested]);
  expect(deployment.jobs['test']?.commands).toMatch(/^\s*git merge-base --is-ancestor HEAD origin\/main\n/);
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
