import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { projectRoot } from '#tools/project.ts';
import packageJson from '../../package.json' with { type: 'json' };

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8');
const PermissionsSchema = z.record(z.string(), z.string());
const StepSchema = z.object({ run: z.string().default('') });
const JobSchema = z
  .object({
    'timeout-minutes': z.number(),
    permissions: PermissionsSchema.default({}),
    environment: z.string().optional(),
    steps: z.array(StepSchema),
  })
  .transform(({ steps, ...job }) => ({ ...job, commands: steps.map(({ run }) => run).join('\n') }));
const WorkflowSchema = z.object({
  on: z.record(z.string(), z.unknown()),
  jobs: z.record(z.string(), JobSchema),
});
const workflows = globSync('.github/workflows/*.yml', { cwd: projectRoot }).map((path) => ({
  path,
  ...WorkflowSchema.parse(parse(read(path))),
}));

/** Folders that git does not keep are none of ours. */
const exclude = (path: string) => /(^|\/)(node_modules|coverage|dist|\.)/.test(path);

/** The names and the descriptions of the lanes. */
const lanes = execFileSync('bash', [join(projectRoot, '.ci/run'), '--list'], { encoding: 'utf8' });
const names = lanes.match(/^\S+/gm) ?? [];
/** The lanes that a workflow runs. */
const lanesOf = (name: string) => {
  const { jobs } = workflows.find(({ path }) => path.endsWith(`/${name}`)) ?? expect.unreachable();
  const commands = Object.values(jobs).map((job) => job.commands);
  return [...commands.join('\n').matchAll(/\.ci\/run (.+)/g)].flatMap(([, words = '']) => words.split(' '));
};

test('every lane that a workflow runs exists', () => {
  const run = workflows.flatMap(({ path }) => lanesOf(basename(path)));
  expect(['--all', ...names]).toEqual(expect.arrayContaining(run));
});

// What `.ci/run` leaves out on a machine without the tools runs here.
test('weekly.yml runs every lane, each week and on demand', () => {
  const { on } = workflows.find(({ path }) => path.endsWith('weekly.yml')) ?? expect.unreachable();
  expect(on).toEqual({ schedule: [{ cron: '17 4 * * 1' }], workflow_dispatch: null });
  const long = [...lanes.matchAll(/^(\S+) .* runs only by name\.$/gm)].map(([, name]) => name);
  expect(lanesOf('weekly.yml').sort()).toEqual(['--all', ...long].sort());
});

test('every project of vitest has a lane of its name, apart from the smoke test of deploy.yml', () => {
  const projects = [...read('vitest.config.ts').matchAll(/name: '([\w-]+)'/g)].map(([, name]) => name);
  expect([...names, 'smoke']).toEqual(expect.arrayContaining(projects));
});

test('CONTRIBUTING.md has the lanes as `.ci/run --list` prints them', () => {
  expect(read('CONTRIBUTING.md')).toContain(lanes.replace(/^/gm, '    ').trimEnd());
});

// Nothing tries deploy.yml before a deployment. zizmor, a lane, finds what could be attacked.
test.each(workflows)('$path runs only npm scripts that exist', ({ jobs }) => {
  const ofWorkflow = Object.values(jobs).map((job) => job.commands);
  const run = [...ofWorkflow.join('\n').matchAll(/npm run ([\w:-]+)/g)].map(([, script]) => script);
  expect(Object.keys(packageJson.scripts)).toEqual(expect.arrayContaining(run));
});

test('the only job of deploy.yml that can get credentials deploys what another job has packaged', () => {
  const { jobs } = workflows.find(({ path }) => path.endsWith('deploy.yml')) ?? expect.unreachable();
  const { deploy = expect.unreachable(), ...others } = jobs;
  expect(deploy.permissions).toHaveProperty('id-token', 'write');
  for (const { permissions } of Object.values(others)) expect(permissions).toEqual({ contents: 'read' });
  const withSecrets = Object.entries(jobs).filter(([, { environment }]) => environment !== undefined);
  expect(withSecrets.map(([name]) => name)).toEqual(['deploy', 'smoke']);
  const { package: packaging = expect.unreachable() } = others;
  expect(packaging.commands).toContain('.github/package.sh "$STAGE" package ');
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
  const { jobs } = workflows.find(({ path }) => path.endsWith('deploy.yml')) ?? expect.unreachable();
  expect(jobs['test']?.commands).toMatch(/^\s*git merge-base --is-ancestor HEAD origin\/main\n/);
});

// Only that script makes a code cache that Lambda accepts (test/lambda/package.lambda.ts).
test('every workflow that keeps a package gets it from package.sh', () => {
  const packaging = workflows.flatMap(({ path, jobs }) =>
    Object.values(jobs).flatMap(({ commands }) => (/--param codeCache|docker /.test(commands) ? [path] : [])),
  );
  expect(packaging).toEqual([]);
  const released = workflows.find(({ path }) => path.endsWith('release.yml'))?.jobs['build'];
  expect(released?.commands).toMatch(
    /^\.github\/package\.sh prod package\n(.|\n)*cp package\/space-files\.zip /m,
  );
  const [, named] = /`(\S+\.json)`, which is the packaged template/.exec(read('docs/other-tools.md')) ?? [];
  expect(released?.commands).toContain(` package/${named} `);
});

// It rejects a version without a date, before a check of an hour begins.
test('release.yml asks release-notes.ts first whether a version can be released, and takes its notes', () => {
  const { jobs } = workflows.find(({ path }) => path.endsWith('release.yml')) ?? expect.unreachable();
  const command = 'node tools/release-notes.ts "$GITHUB_REF_NAME"';
  const [before] = jobs['check']?.commands.split('.ci/run') ?? [];
  expect(before).toContain(`${command}\n`);
  expect(jobs['build']?.commands).toContain(`${command} > notes.md`);
});

test('Dependabot updates every folder with a lockfile', () => {
  const UpdateSchema = z.object({
    'package-ecosystem': z.string(),
    directories: z.array(z.string()).default([]),
  });
  const { updates } = z
    .object({ updates: z.array(UpdateSchema) })
    .parse(parse(read('.github/dependabot.yml')));
  const folders = globSync('**/package-lock.json', { cwd: projectRoot, exclude }).map(dirname);
  const expected = folders.map((folder) => (folder === '.' ? '/' : `/${folder}`));
  expect(updates.flatMap(({ directories }) => directories).sort()).toEqual(expected.sort());
});

/** Locked by its content, so that it cannot be replaced unnoticed, and to no address, so that any registry serves it. */
test.each(globSync('**/package-lock.json', { cwd: projectRoot, exclude }))(
  '%s locks every package by its content, and none to an address',
  (file) => {
    const { lockfileVersion, packages } = JSON.parse(readFileSync(join(projectRoot, file), 'utf8'));
    const { '': project, ...installed } = packages;
    expect([lockfileVersion, typeof project]).toEqual([3, 'object']);
    for (const [name, { version, integrity, resolved }] of Object.entries<Record<string, string>>(installed))
      expect({ name, version, integrity, resolved }).toEqual({
        name,
        version: expect.any(String),
        integrity: expect.stringMatching(/^sha512-[\w+/]{86}==$/),
        resolved: undefined,
      });
  },
);
