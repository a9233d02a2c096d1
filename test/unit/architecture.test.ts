import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

/** The folders, files and packages that each folder may import besides its own files: dependencies point down only. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  handlers: ['lib/runtime', 'lib/http', 'lib/store', 'lib/domain'],
  'lib/runtime': [
    'lib/http',
    'lib/store',
    'lib/domain',
    'lib/system.ts',
    '@aws-sdk/client-dynamodb',
    '@aws-sdk/lib-dynamodb',
    'zod/mini',
    'node:crypto',
    'node:http',
  ],
  // The build puts them in the place of other modules. Nothing imports them.
  'lib/runtime/shims': [
    'lib/runtime/dynamodb-client.ts',
    '@aws-sdk/credential-provider-env',
    '@aws-sdk/lib-dynamodb',
    '@smithy/core/schema',
    'node:crypto',
  ],
  'lib/http': ['lib/domain', 'lib/system.ts', '@middy/core', 'aws-lambda', 'zod/mini'],
  'lib/store': [
    'lib/domain',
    'lib/system.ts',
    '@aws-sdk/client-dynamodb',
    '@aws-sdk/lib-dynamodb',
    '@aws-sdk/util-dynamodb',
    '@smithy/core/retry',
    'node:crypto',
  ],
  'lib/domain': ['node:crypto', 'zod/mini'],
  lib: [],
};

const root = new URL('../../', import.meta.url);
const files = globSync(['handlers/**/*.ts', 'lib/**/*.ts'], { cwd: root });
const read = (file: string) => readFileSync(new URL(file, root), 'utf8');

/** What a file imports, also by `import()` and by types, as paths from the root: lib/domain/space.ts, zod/mini. */
const importsOf = (file: string): readonly string[] =>
  [...read(file).matchAll(/\b(?:from|import)\s*\(?\s*'([^'\n]+)'/g)].map(([, path = '']) =>
    path.startsWith('.') ? join(dirname(file), path) : path.replace(/^#/, ''),
  );

test.each(files)('%s imports only what is below it', (file) => {
  const folder = dirname(file);
  const places = [folder, ...(allowed[folder] ?? [])];
  const isAllowed = (path: string) =>
    places.includes(path) || (path.endsWith('.ts') && places.includes(dirname(path)));
  expect(allowed).toHaveProperty([folder]);
  expect(importsOf(file).filter((path) => !isAllowed(path))).toEqual([]);
});

test('the domain and the store know no status codes', () => {
  const inner = files.filter((file) => /^lib\/(domain|store)\//.test(file));
  expect(inner.filter((file) => /\bstatusCode\b|\bstatus:/.test(read(file)))).toEqual([]);
});

/** The rooms of what is never deployed, and which of these each may import. All may import lib/ and handlers/. */
const below: Readonly<Record<string, readonly string[]>> = {
  tools: [],
  'tools/tables': ['tools'],
  'tools/bundle': ['tools', 'tools/tables'],
  'tools/description': ['tools', 'tools/tables'],
  'tools/dev-server': ['tools', 'tools/tables', 'tools/bundle'],
  bench: ['tools', 'tools/tables', 'tools/bundle', 'tools/dev-server', 'bench/peers/shared'],
  'bench/peers': ['bench/peers/shared', 'tools', 'tools/bundle'],
  'bench/peers/shared': [],
};
const neverDeployed = globSync(['tools/**/*.ts', 'bench/**/*.ts'], {
  cwd: root,
  exclude: (path) => path.includes('node_modules'),
});

test.each(neverDeployed)('%s imports no room above it, and no test', (file) => {
  const folder = dirname(file);
  expect(below).toHaveProperty([folder]);
  const rooms = importsOf(file)
    .filter((path) => /^(tools|bench|test)\b/.test(path))
    .map(dirname);
  expect(rooms.filter((room) => room !== folder && !below[folder]?.includes(room))).toEqual([]);
});
