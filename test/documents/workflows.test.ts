import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
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

/** All that runs by itself: the commands of `.ci/run` and of the workflows. */
const commands = [
  read('.ci/run'),
  ...workflows.flatMap(({ jobs }) => Object.values(jobs).map((job) => job.commands)),
]
  .join('\n')
  .replace(/^ *#.*/gm, '');

const configurations = globSync(
  '**/{vitest.config.*,stryker.config.*,redocly.yaml,*.markdownlint-cli2.jsonc,commitlint.config.ts,biome.json,tsconfig.json}',
  { cwd: projectRoot, exclude },
);
const projects = [...read('vitest.config.ts').matchAll(/name: '([\w-]+)'/g)].map(
  ([, name]) => `--project ${name}`,
);
const tools = [
  'checkov',
  'cfn-lint',
  'zizmor',
  'gitleaks',
  '@redocly/cli',
  '@arethetypeswrong/cli',
  'markdownlint-rule-relative-links',
];
/** The command that uses a configuration, or runs a project of vitest, which it does not name. */
const startedBy: Readonly<Record<string, string>> = {
  'biome.json': 'npm run check',
  'tsconfig.json': 'npm run check',
  'bench/tsconfig.json': 'npx tsc -p bench',
  'client/tsconfig.json': 'npm pack ./client',
  'vitest.config.ts': 'npm test',
  '--project tests': 'npm test',
  '--project smoke': 'npm run smoke',
  '--project lambda': 'npm run test:lambda',
  '--project generated': 'npm run test:generated',
  '--project mutation': 'stryker run test/tools/stryker.config.json',
};

test.each([...configurations, ...projects, ...tools])('a check with %s runs by itself', (name) => {
  expect(commands).toContain(startedBy[name] ?? name);
});

test('CONTRIBUTING.md says what each project shows and needs', () => {
  const rows = [...read('CONTRIBUTING.md').matchAll(/^\| `([\w-]+)` \| .+ \| .+ \|$/gm)];
  expect(rows.map(([, name]) => `--project ${name}`)).toEqual(projects);
});

test('every npm script that checks something runs by itself', () => {
  const checks = Object.keys(packageJson.scripts).filter((name) => /^(test|check|smoke|bench)/.test(name));
  expect(checks).toEqual(['test', 'test:lambda', 'test:generated', 'check', 'smoke', 'bench']);
  for (const name of checks) expect(commands).toMatch(new RegExp(`npm (run )?${name}(?![\\w:-])`));
});

test('.ci/run and ci.yml check the subjects of the same commits', () => {
  expect(new Set(commands.match(/\b[0-9a-f]{40}\b/g)).size).toBe(1);
});

test('weekly.yml runs everything that .ci/run knows, each week and on demand', () => {
  const { on, jobs } = workflows.find(({ path }) => path.endsWith('weekly.yml')) ?? expect.unreachable();
  expect(on).toEqual({ schedule: [{ cron: '17 4 * * 1' }], workflow_dispatch: null });
  expect(jobs['everything']?.commands).toContain('.ci/run --all');
});

// CI runs zizmor for what could be attacked.
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

// Only that script makes a code cache that Lambda accepts (test/tools/lambda/package.lambda.ts).
test('every workflow that keeps a package gets it from package.sh', () => {
  const packaging = workflows.flatMap(({ path, jobs }) =>
    Object.values(jobs).flatMap(({ commands }) => (/--param codeCache|docker /.test(commands) ? [path] : [])),
  );
  expect(packaging).toEqual([]);
  const released = workflows.find(({ path }) => path.endsWith('release.yml'))?.jobs['build'];
  expect(released?.commands).toMatch(
    /^\.github\/package\.sh prod package\n(.|\n)*cp package\/space-files\.zip /m,
  );
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
