import { globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { projectRoot } from '#tools/project.ts';

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8');

const WorkflowSchema = z.object({
  permissions: z.record(z.string(), z.string()),
  jobs: z.record(
    z.string(),
    z.object({
      'timeout-minutes': z.number(),
      steps: z.array(z.object({ run: z.string().optional(), uses: z.string().optional() })),
    }),
  ),
});
const DependabotSchema = z.object({
  updates: z.array(
    z.object({ 'package-ecosystem': z.string(), directories: z.array(z.string()).optional() }),
  ),
});
const ManifestSchema = z.object({ scripts: z.record(z.string(), z.string()) });

const workflows = readdirSync(join(projectRoot, '.github/workflows')).map((name) => {
  const text = read(join('.github/workflows', name));
  const { permissions, jobs } = WorkflowSchema.parse(parse(text));
  return { name, text, permissions, steps: Object.values(jobs).flatMap(({ steps }) => steps) };
});

describe.each(workflows)('$name', ({ text, permissions, steps }) => {
  test('may by default read the code at most', () => {
    expect([{}, { contents: 'read' }]).toContainEqual(permissions);
  });

  test('uses actions by commit, with the version beside it', () => {
    const uses = [...text.matchAll(/uses: (.*)$/gm)].map(([, used]) => used);
    expect(uses.length).toBeGreaterThan(0);
    expect(uses.filter((used = '') => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(used))).toEqual(
      [],
    );
  });

  test('runs nothing that is put together from what a stranger wrote', () => {
    expect(steps.filter(({ run }) => run?.includes('${{'))).toEqual([]);
  });

  test('runs only scripts that there are', () => {
    const { scripts } = ManifestSchema.parse(JSON.parse(read('package.json')));
    const asked = steps.flatMap(({ run = '' }) =>
      [...run.matchAll(/npm run ([\w:-]+)/g)].map(([, script]) => script),
    );
    expect(asked.filter((script = '') => !(script in scripts))).toEqual([]);
  });
});

test('Dependabot knows every folder with a lockfile', () => {
  const { updates } = DependabotSchema.parse(parse(read('.github/dependabot.yml')));
  const known = updates.find((update) => update['package-ecosystem'] === 'npm')?.directories ?? [];
  const lockfiles = globSync('**/package-lock.json', {
    cwd: projectRoot,
    exclude: (path) => /(^|\/)(node_modules|\.)/.test(path),
  });
  const folders = lockfiles.map((path) => (dirname(path) === '.' ? '/' : `/${dirname(path)}`));
  expect(known.toSorted()).toEqual(folders.toSorted());
});
