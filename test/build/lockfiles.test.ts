import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { projectRoot } from '#tools/project.ts';

/** Locked by its content, so that it cannot be replaced unnoticed, and to no address, so that any registry serves it. */
const PackageSchema = z.object({
  version: z.string(),
  integrity: z.string().regex(/^sha512-[\w+/]{86}==$/),
  resolved: z.optional(z.never()),
});
const LockfileSchema = z.object({
  lockfileVersion: z.literal(3),
  packages: z
    .object({ '': z.unknown() })
    .catchall(z.union([z.object({ link: z.literal(true) }), PackageSchema])),
});

/** Not those in node_modules, nor in folders that git ignores. */
const exclude = (name: string) => name === 'node_modules' || name.startsWith('.');

test.each(globSync('**/package-lock.json', { cwd: projectRoot, exclude }))(
  '%s locks every package by its content, and none to an address',
  (file) => {
    LockfileSchema.parse(JSON.parse(readFileSync(join(projectRoot, file), 'utf8')));
  },
);

const good = { version: '1.0.0', integrity: `sha512-${'a'.repeat(86)}==` };
test.each([
  [good, true],
  [{ link: true }, true],
  [{ version: '1.0.0' }, false],
  [{ ...good, integrity: 'sha1-abc' }, false],
  [{ ...good, resolved: 'https://registry.example/far.tgz' }, false],
])('the package %j is accepted: %s', (entry, isAccepted) => {
  const packages = { '': { name: 'ours' }, 'node_modules/a': entry };
  expect(LockfileSchema.safeParse({ lockfileVersion: 3, packages }).success).toBe(isAccepted);
});
