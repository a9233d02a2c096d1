import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Bundle, buildBundle } from '#tools/build/bundle.ts';
import { defaultOptimizations, type Optimization, optimizations } from '#tools/build/optimizations.ts';
import { builtIns, inputs, packages } from './support/contents.ts';

let folder: string;
const build = (used: readonly Optimization[]) =>
  buildBundle({ optimizations: used, file: join(folder, used.join('+') || 'none', 'update-file.cjs') });

let bundle: Bundle;
let plain: Bundle;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'space-files-'));
  bundle = await build(defaultOptimizations);
  plain = await build([]);
});
afterAll(() => rm(folder, { recursive: true }));

test('the bundle keeps within 240 KB, and 80 KB gzipped', () => {
  expect(bundle.bytes).toBeLessThan(240_000);
  expect(bundle.gzipBytes).toBeLessThan(80_000);
});

test('the bundle holds what a request needs, of these packages and no others', () => {
  expect(packages(bundle)).toEqual([
    '@aws-sdk/client-dynamodb',
    '@aws-sdk/core',
    '@aws-sdk/credential-provider-env',
    '@aws-sdk/dynamodb-codec',
    '@aws-sdk/lib-dynamodb',
    '@aws-sdk/util-dynamodb',
    '@aws/lambda-invoke-store',
    '@middy/core',
    '@smithy/core',
    '@smithy/signature-v4',
    '@smithy/types',
    'ours',
    'zod',
  ]);
  expect(
    inputs(bundle).filter((path) => /^(tools|test|bench|node_modules\/zod\/v4\/classic)\//.test(path)),
  ).toEqual([]);
});

test('in the bundle these stand for parts of the SDK', () => {
  const ours = Object.keys(bundle.metafile.inputs).filter((path) => path.startsWith('lib/sdk/'));
  expect(ours.sort()).toEqual([
    'lib/sdk/checksum.ts',
    'lib/sdk/collect-stream.ts',
    'lib/sdk/credentials.ts',
    'lib/sdk/endpoint-discovery.ts',
    'lib/sdk/event-streams.ts',
    'lib/sdk/no-files.ts',
    'lib/sdk/request-handler.ts',
    'lib/sdk/sha256.ts',
  ]);
});

test('the bundle loads these modules of Node', () => {
  expect(builtIns(bundle)).toEqual([
    'node:async_hooks',
    'node:crypto',
    'node:fs',
    'node:http',
    'node:https',
    'node:os',
    'node:path',
    'node:process',
    'node:stream',
    'node:timers',
    'node:timers/promises',
    'node:util',
  ]);
});

test('the folder holds the bundle and the module that Lambda loads first', async () => {
  expect((await readdir(join(folder, defaultOptimizations.join('+')))).sort()).toEqual([
    'update-file.cjs',
    'update-file.mjs',
  ]);
});

describe('every lever can be left out, and works where it is used', () => {
  test('without any: the SDK as it comes, and no module in front', async () => {
    expect(await readdir(join(folder, 'none'))).toEqual(['update-file.cjs']);
    for (const stoodIn of Object.values(optimizations).flatMap((alias) => Object.values(alias)))
      expect(inputs(plain)).not.toContain(stoodIn.slice(2));
  });

  test.each(defaultOptimizations)('without %s alone it can be built', async (left) => {
    const { bytes } = await build(defaultOptimizations.filter((lever) => lever !== left));
    expect(bytes).toBeGreaterThanOrEqual(bundle.bytes);
  });

  const standIns = Object.entries(optimizations).flatMap(([name, alias]) =>
    Object.entries(alias).map(([replaced, ours]) => ({ name, replaced, ours: ours.slice(2) })),
  );
  // When the SDK stops to import what is replaced, or imports what the stand-in has not, this is where it shows.
  test.each(standIns)('$name: $ours in place of $replaced', ({ replaced, ours }) => {
    const folder = `node_modules/${replaced.replace('@smithy/core/', '@smithy/core/dist-es/submodules/')}/`;
    const isIn = (of: Bundle) =>
      inputs(of).some((path) => path.startsWith(folder)) || builtIns(of).includes(replaced);
    expect([isIn(plain), isIn(bundle)]).toEqual([true, false]);
    expect(Object.keys(bundle.metafile.inputs)).toContain(ours);
  });
});
