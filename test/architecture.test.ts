import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

/** What the files of each room may import besides their own room: arrows go down only. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  handlers: ['lib', 'lib/http', 'lib/domain'],
  lib: ['lib/http', 'lib/store', 'lib/domain', 'zod/mini', 'node:crypto'],
  'lib/http': ['lib/domain', '@middy/core', 'aws-lambda', 'zod/mini', 'node:util'],
  'lib/store': [
    'lib/domain',
    'lib/config',
    'lib/runtime/shims/collect-stream',
    '@aws-sdk/client-dynamodb',
    '@aws-sdk/lib-dynamodb',
    '@aws-sdk/util-dynamodb',
    '@smithy/core/retry',
    'node:crypto',
    'node:timers/promises',
  ],
  'lib/domain': ['zod/mini'],
  // Stand-ins for modules of the SDK: nothing of ours but each other.
  'lib/sdk': [
    '@aws-sdk/credential-provider-env',
    '@smithy/core/protocols',
    '@smithy/core/transport',
    'node:crypto',
    'node:http',
    'node:https',
  ],
  'lib/entry': [],
  // Copied into other projects as it is, and never deployed: nothing of ours, and no package.
  client: [],
};

const root = new URL('../', import.meta.url);
const files = globSync(['client/**/*.ts', 'handlers/**/*.ts', 'lib/**/*.ts'], { cwd: root });
const read = (file: string) => readFileSync(new URL(file, root), 'utf8');
const roomOf = (file: string) => file.split('/').slice(0, -1).join('/');

/** The imports of a file as paths from the root: lib/domain/space, zod/mini. */
const importsOf = (file: string) =>
  [...read(file).matchAll(/^(?:import|export)\s[^;]*?from '([^']+)';/gm)].map(([, path = '']) =>
    path
      .replace(/^\.\//, `${roomOf(file)}/`)
      .replace(/^#/, '')
      .replace(/\.ts$/, ''),
  );

const isAllowed = (room: string, imported: string) =>
  [room, ...(allowed[room] ?? [])].some((place) => imported === place || roomOf(imported) === place);

test('every room of client/, handlers/ and lib/ has a rule', () => {
  expect([...new Set(files.map(roomOf))].toSorted()).toEqual(Object.keys(allowed).toSorted());
});

describe('imports go down only', () => {
  test.each(files)('%s', (file) => {
    expect(importsOf(file).filter((imported) => !isAllowed(roomOf(file), imported))).toEqual([]);
  });
});

test('one idea per file: handlers under 40 lines, no file over 120, half of them under 40', () => {
  const lengths = files.map((file) => ({ file, lines: read(file).trimEnd().split('\n').length }));
  expect(lengths.filter(({ file, lines }) => lines > (file.startsWith('handlers') ? 39 : 120))).toEqual([]);
  const median = lengths.map(({ lines }) => lines).toSorted((a, b) => a - b)[Math.floor(lengths.length / 2)];
  expect(median).toBeLessThan(40);
});

test('the status codes that we answer with are known in one folder', () => {
  const elsewhere = files.filter(
    (file) => !/^(client|lib\/(http|sdk))\//.test(file) && /\bstatusCode\b|\bstatus:/.test(read(file)),
  );
  expect(elsewhere).toEqual([]);
});
