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

/** The command that uses a configuration which it does not name. */
const startedBy: Readonly<Record<string, string>> = {
  'biome.json': 'npm run check',
  'tsconfig.json': 'npm run check',
  'bench/tsconfig.json': 'npx tsc -p bench',
  'client/tsconfig.json': 'npm pack ./client',
  'vitest.config.ts': 'npm test',
};
const configurations = globSync(
  '**/{vitest.config.*,stryker.config.*,redocly.yaml,*.markdownlint-cli2.jsonc,commitlint.config.ts,biome.json,tsconfig.json}',
  {
    cwd: projectRoot,
    exclude,
  },
);

test.each(configurations)('a check with %s runs by itself', (path) => {
  expect(commands).toContain(startedBy[path] ?? path);
});

const projects = [...read('vitest.config.ts').matchAll(/name: '([\w-]+)'/g)].map(([, name = '']) => name);
/** The command that starts a project which it does not name. */
const startedAs: Readonly<Record<string, string>> = {
  tests: 'npm test',
  smoke: 'npm run smoke',
  lambda: 'npm run test:lambda',
  generated: 'npm run test:generated',
  mutation: 'stryker run test/tools/stryker.config.json',
};

test.each(projects)('the project %s of vitest.config.ts runs by itself', (name) => {
  expect(commands).toContain(startedAs[name] ?? `npx vitest run --project ${name}`);
});

test('CONTRIBUTING.md says what each project shows and needs', () => {
  const rows = [...read('CONTRIBUTING.md').matchAll(/^\| `([\w-]+)` \| .+ \| .+ \|$/gm)];
  expect(rows.map(([, name]) => name)).toEqual(projects);
});

test.each([
  'checkov',
  'cfn-lint',
  'zizmor',
  'gitleaks',
  '@redocly/cli',
  '@arethetypeswrong/cli',
  'markdownlint-rule-relative-links',
  'stryker run',
])('%s runs by itself', (tool) => {
  expect(commands).toContain(tool);
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

test('deploy.yml: the job that can get credentials deploys what another has packaged', () => {
  const { jobs } = workflows.find(({ path }) => path.endsWith('deploy.yml')) ?? expect.unreachable();
  const withCredentials = Object.entries(jobs).filter(
    ([, { permissions, environment }]) => 'id-token' in permissions || environment !== undefined,
  );
  expect(withCredentials.map(([name]) => name)).toEqual(['deploy']);
  const { package: packaging = expect.unreachable(), deploy = expect.unreachable() } = jobs;
  expect(packaging.permissions).toEqual({ contents: 'read' });
  expect(packaging.commands).toContain('.github/package.sh "$STAGE" package ');
  expect(deploy.commands).toContain('npx serverless deploy --package package ');
  expect(deploy.commands).not.toMatch(/npm ci(?! --ignore-scripts)|npm test|build|serverless package/);
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
