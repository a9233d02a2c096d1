import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { projectRoot } from '#tools/project.ts';

const LockfileSchema = z.object({
  lockfileVersion: z.literal(3),
  packages: z.record(
    z.string(),
    z.object({
      version: z.optional(z.string()),
      integrity: z.optional(z.string()),
      resolved: z.optional(z.string()),
      link: z.optional(z.boolean()),
    }),
  ),
});

/** Not those in node_modules, nor in folders that git ignores. */
const exclude = (name: string) => name === 'node_modules' || name.startsWith('.');
const lockfiles = globSync('**/package-lock.json', { cwd: projectRoot, exclude });

/** Packages that could be replaced unnoticed, or that come from one address only. */
const problemsOf = (lockfile: unknown): string[] =>
  Object.entries(LockfileSchema.parse(lockfile).packages)
    .filter(([place, { link }]) => place !== '' && link !== true)
    .flatMap(([place, { version, integrity = '', resolved }]) => [
      ...(version === undefined ? [`${place} has no version`] : []),
      ...(/^sha512-[\w+/]{86}==$/.test(integrity) ? [] : [`${place} has no integrity`]),
      ...(resolved === undefined ? [] : [`${place} is from an address`]),
    ]);

test.each(lockfiles)('%s locks every package by its content, and none to an address', (file) => {
  expect(problemsOf(JSON.parse(readFileSync(join(projectRoot, file), 'utf8')))).toEqual([]);
});

test('a package that is not locked is reported', () => {
  const integrity = `sha512-${'a'.repeat(86)}==`;
  const packages = {
    '': { name: 'ours' },
    'node_modules/good': { version: '1.0.0', integrity },
    'node_modules/linked': { link: true },
    'node_modules/open': { version: '1.0.0' },
    'node_modules/weak': { version: '1.0.0', integrity: 'sha1-abc' },
    'node_modules/far': { integrity, resolved: 'https://registry.example/far.tgz' },
  };
  expect(problemsOf({ lockfileVersion: 3, packages })).toEqual([
    'node_modules/open has no integrity',
    'node_modules/weak has no integrity',
    'node_modules/far has no version',
    'node_modules/far is from an address',
  ]);
});
