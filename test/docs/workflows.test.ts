import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { projectRoot } from '#tools/project.ts';
import packageJson from '../../package.json' with { type: 'json' };

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8');
const StepsSchema = z.array(z.object({ run: z.string().default('') }));
const PermissionsSchema = z.record(z.string(), z.string());
const JobSchema = z.object({
  'timeout-minutes': z.number(),
  permissions: PermissionsSchema.optional(),
  environment: z.string().optional(),
  steps: StepsSchema,
});
const WorkflowSchema = z.object({
  permissions: PermissionsSchema,
  jobs: z.record(z.string(), JobSchema),
});
const workflows = globSync('.github/workflows/*.yml', { cwd: projectRoot }).map((path) => {
  const { permissions, jobs } = WorkflowSchema.parse(parse(read(path)));
  return {
    path,
    permissions,
    commands: Object.values(jobs).flatMap(({ steps }) => steps.map(({ run }) => run)),
  };
});

describe.each(workflows)('$path', ({ path, permissions, commands }) => {
  test('has no default permission beyond reading the code', () => {
    expect([{}, { contents: 'read' }]).toContainEqual(permissions);
  });

  test('pins actions by commit, with the version in a comment', () => {
    const uses = [...read(path).matchAll(/uses: (.*)$/gm)].map(([, action]) => action);
    expect(uses).not.toEqual([]);
    const pinned = expect.stringMatching(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    expect(uses).toEqual(uses.map(() => pinned));
  });

  test('puts no expression into a shell command, because other people can write some of them', () => {
    expect(commands.filter((command) => command.includes('${{'))).toEqual([]);
  });

  test('runs only npm scripts that exist', () => {
    const run = [...commands.join('\n').matchAll(/npm run ([\w:-]+)/g)].map(([, script]) => script);
    expect(Object.keys(packageJson.scripts)).toEqual(expect.arrayContaining(run));
  });
});

test('deploy.yml: the job that can get credentials deploys what another has packaged', () => {
  const { jobs } = WorkflowSchema.parse(parse(read('.github/workflows/deploy.yml')));
  const commandsOf = ({ steps }: z.infer<typeof JobSchema>) => steps.map(({ run }) => run).join('\n');
  const withCredentials = Object.keys(jobs).filter(
    (name) => jobs[name]?.permissions?.['id-token'] !== undefined || jobs[name]?.environment !== undefined,
  );
  expect(withCredentials).toEqual(['deploy']);
  const { package: packaging = expect.unreachable(), deploy = expect.unreachable() } = jobs;
  expect(packaging.permissions).toEqual({ contents: 'read' });
  expect(commandsOf(packaging)).toMatch(/serverless\.js package --package package .*--param codeCache=true/);
  expect(commandsOf(deploy)).toContain('npx serverless deploy --package package ');
  expect(commandsOf(deploy)).not.toMatch(/npm ci(?! --ignore-scripts)|npm test|build|serverless package/);
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
