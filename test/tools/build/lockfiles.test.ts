import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '#tools/project.ts';

/** Not those in node_modules, nor in folders that git ignores. */
const exclude = (name: string) => name === 'node_modules' || name.startsWith('.');

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
