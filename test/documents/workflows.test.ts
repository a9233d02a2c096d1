import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { projectRoot } from '#tools/project.ts';
import packageJson from '../../package.json' with { type: 'json' };

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8');
const MatrixSchema = z.object({ matrix: z.object({ lane: z.array(z.string()).default([]) }) });
const JobSchema = z
  .object({
    permissions: z.record(z.string(), z.string()).default({}),
    environment: z.string().optional(),
    concurrency: z.string().optional(),
    strategy: MatrixSchema.optional(),
    steps: z.array(z.object({ run: z.string().default('') })).default([]),
  })
  .transform(({ steps, strategy, ...job }) => {
    const lanes = strategy?.matrix.lane.join(' ') ?? '';
    const commands = steps.map(({ run }) => run.replace(/\${{ matrix\.lane }}/, lanes)).join('\n');
    return { ...job, commands };
  });
const WorkflowSchema = z.object({
  concurrency: z.unknown().optional(),
  jobs: z.record(z.string(), JobSchema),
});
const workflows = globSync('.github/workflows/*.yml', { cwd: projectRoot }).map((path) =>
  WorkflowSchema.parse(parse(read(path))),
);
const commands = workflows.flatMap(({ jobs }) => Object.values(jobs).map((job) => job.commands)).join('\n');
const deployment = WorkflowSchema.parse(parse(read('.github/workflows/deploy.yml')));

// What nobody starts by hand would else never run: those that take long, and what a machine lacks a tool for.
test('workflows run every lane of .ci/run, and no other', () => {
  const list = execFileSync('bash', [join(projectRoot, '.ci/run'), '--list'], { encoding: 'utf8' });
  const run = [...commands.matchAll(/\.ci\/run (.+)/g)].flatMap(([, names = '']) => names.split(' '));
  expect([...new Set(run)].sort()).toEqual(list.match(/^\S+/gm)?.sort());
});

// Nothing tries deploy.yml before a deployment. zizmor, a lane, finds what could be attacked.
test('workflows run only npm scripts that exist', () => {
  const run = [...commands.matchAll(/npm run ([\w:-]+)/g)].map(([, script]) => script);
  expect(run).not.toEqual([]);
  expect(Object.keys(packageJson.scripts)).toEqual(expect.arrayContaining(run));
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

// Whoever rolls back gives a ref. A branch that nobody has reviewed must not get credentials by it.
test('deploy.yml tests, packages, deploys and checks one commit of main', () => {
  const refs = [
    ...read('.github/workflows/deploy.yml').matchAll(/actions\/checkout@.*\n.*ref: '\${{ (.+?) }}'/g),
  ];
  const tested = 'needs.test.outputs.commit';
  expect(refs.map(([, ref]) => ref)).toEqual(['inputs.ref', tested, tested, tested]);
  expect(deployment.jobs['test']?.commands).toMatch(/^\s*git merge-base --is-ancestor HEAD origin\/main\n/);
});

// The reviewers of the stage approve one job, and only that job keeps another deployment waiting. An older commit
// rejects a param that it does not know.
test('deploy.yml holds a rollback back by nothing but the deployment of another run', () => {
  const { jobs, concurrency } = deployment;
  const nameStage = (name = 'none') => name.replace(/\${{ inputs\.stage }}/, 'STAGE');
  const holding = Object.entries(jobs).map(
    ([name, job]) => `${name}: ${nameStage(job.environment)}, ${nameStage(job.concurrency)}`,
  );
  expect([concurrency, ...holding]).toEqual([
    undefined,
    'test: none, none',
    'package: none, none',
    'deploy: STAGE, deploy-STAGE',
    'smoke: smoke-STAGE, none',
  ]);
  const params = Object.values(jobs).flatMap((job) => job.commands.match(/--param \S+/g) ?? []);
  expect(params).toEqual(['--param "runbook=$RUNBOOK"']);
});

/** Folders that git does not keep are none of ours. */
const exclude = (path: string) => /(^|\/)(node_modules|coverage|dist|\.)/.test(path);
const lockfiles = globSync('**/package-lock.json', { cwd: projectRoot, exclude });

test('Dependabot updates every folder with a lockfile', () => {
  const UpdateSchema = z.object({ directories: z.array(z.string()).default([]) });
  const { updates } = z
    .object({ updates: z.array(UpdateSchema) })
    .parse(parse(read('.github/dependabot.yml')));
  const folders = lockfiles.map((path) => (dirname(path) === '.' ? '/' : `/${dirname(path)}`));
  expect(updates.flatMap(({ directories }) => directories).sort()).toEqual(folders.sort());
});

/** Locked by its content, so that it cannot be replaced unnoticed, and to no address, so that any registry serves it. */
test.each(lockfiles)('%s locks every package by its content, and none to an address', (file) => {
  const { lockfileVersion, packages } = JSON.parse(read(file));
  const { '': project, ...installed } = packages;
  expect([lockfileVersion, typeof project]).toEqual([3, 'object']);
  for (const [name, { version, integrity, resolved }] of Object.entries<Record<string, string>>(installed))
    expect({ name, version, integrity, resolved }).toEqual({
      name,
      version: expect.any(String),
      integrity: expect.stringMatching(/^sha512-[\w+/]{86}==$/),
      resolved: undefined,
    });
});
