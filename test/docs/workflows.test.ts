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
const WorkflowSchema = z.object({ jobs: z.record(z.string(), JobSchema) });
const workflows = globSync('.github/workflows/*.yml', { cwd: projectRoot }).map((path) => ({
  path,
  ...WorkflowSchema.parse(parse(read(path))),
}));

// CI runs zizmor for what could be attacked.
test.each(workflows)('$path runs only npm scripts that exist', ({ jobs }) => {
  const commands = Object.values(jobs).map((job) => job.commands);
  const run = [...commands.join('\n').matchAll(/npm run ([\w:-]+)/g)].map(([, script]) => script);
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
});

test('Dependabot updates every folder with a lockfile', () => {
  const UpdateSchema = z.object({
    'package-ecosystem': z.string(),
    directories: z.array(z.string()).default([]),
  });
  const { updates } = z
    .object({ updates: z.array(UpdateSchema) })
    .parse(parse(read('.github/dependabot.yml')));
  const exclude = (path: string) => /(^|\/)(node_modules|coverage|\.)/.test(path);
  const folders = globSync('**/package-lock.json', { cwd: projectRoot, exclude }).map(dirname);
  const expected = folders.map((folder) => (folder === '.' ? '/' : `/${folder}`));
  expect(updates.flatMap(({ directories }) => directories).sort()).toEqual(expected.sort());
});
