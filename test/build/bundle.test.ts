import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '#test/support/processes.ts';
import { type Bundle, buildBundle } from '#tools/build/bundle.ts';
import { defaultOptimizations, type Optimization, optimizations } from '#tools/build/optimizations.ts';

const folder = temporaryFolder();
afterAll(folder.remove);
const fileOf = (used: readonly Optimization[]) =>
  join(folder.path, used.join('+') || 'none', 'update-file.cjs');
const build = (used: readonly Optimization[]) => buildBundle({ optimizations: used, file: fileOf(used) });

/** The files that contribute to a bundle, the packages that these are of, and the Node modules that it loads. */
const contentsOf = ({ metafile }: Bundle) => {
  const outputs = Object.values(metafile.outputs);
  const files = outputs.flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
  );
  const packageOf = (path: string) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? 'ours';
  const packages = [...new Set(files.map(packageOf))].sort();
  const builtIns = [...new Set(outputs.flatMap(({ imports }) => imports.map(({ path }) => path)))].sort();
  return { files, packages, builtIns };
};

let bundle: Bundle;
let plain: Bundle;
beforeAll(async () => {
  bundle = await build(defaultOptimizations);
  plain = await build([]);
});

test('the bundle is smaller than 240 KB, and 80 KB gzipped', () => {
  expect(bundle.bytes).toBeLessThan(240_000);
  expect(bundle.gzipBytes).toBeLessThan(80_000);
});

test('the bundle contains these packages, no development code, and loads these modules of Node', () => {
  const { files, packages, builtIns } = contentsOf(bundle);
  expect(packages).toEqual([
    ...['@aws-sdk/client-dynamodb', '@aws-sdk/core', '@aws-sdk/credential-provider-env'],
    ...['@aws-sdk/dynamodb-codec', '@aws-sdk/lib-dynamodb', '@aws-sdk/util-dynamodb'],
    ...['@aws/lambda-invoke-store', '@middy/core', '@smithy/core', '@smithy/signature-v4', '@smithy/types'],
    ...['ours', 'zod'],
  ]);
  const own = files.filter((path) => !path.startsWith('node_modules/'));
  expect(own.filter((path) => !/^(handlers|lib)\//.test(path))).toEqual([]);
  expect(files.filter((path) => path.startsWith('node_modules/zod/v4/classic/'))).toEqual([]);
  expect(builtIns).toEqual([
    ...['node:async_hooks', 'node:crypto', 'node:fs', 'node:http', 'node:https', 'node:os', 'node:path'],
    ...['node:process', 'node:stream', 'node:timers', 'node:util'],
  ]);
});

describe('optimizations', () => {
  const shims = Object.entries(optimizations).flatMap(([name, alias]) =>
    Object.entries(alias).map(([replaced, shim]) => ({ name, replaced, shim: shim.slice(2) })),
  );

  test('these files replace parts of the SDK; without optimizations none does, and no module comes first', () => {
    const used = Object.keys(bundle.metafile.inputs).filter((path) => path.startsWith('lib/runtime/shims/'));
    const names = ['checksum', 'credentials', 'endpoint-discovery'];
    const more = ['event-streams', 'no-files', 'request-handler', 'sha256'];
    expect(used.sort()).toEqual([...names, ...more].map((name) => `lib/runtime/shims/${name}.ts`));
    expect(contentsOf(plain).files.filter((path) => shims.some(({ shim }) => shim === path))).toEqual([]);
    expect(readdirSync(dirname(fileOf(defaultOptimizations))).sort()).toEqual([
      'update-file.cjs',
      'update-file.mjs',
    ]);
    expect(readdirSync(dirname(fileOf([])))).toEqual(['update-file.cjs']);
  });

  // Fails when the SDK no longer imports what is replaced, or imports something that the shim lacks.
  test.each(shims)('$name: $shim replaces $replaced', ({ replaced, shim }) => {
    const path = `node_modules/${replaced.replace('@smithy/core/', '@smithy/core/dist-es/submodules/')}/`;
    const isIn = (of: Bundle) => {
      const { files, builtIns } = contentsOf(of);
      return files.some((file) => file.startsWith(path)) || builtIns.includes(replaced);
    };
    expect([isIn(plain), isIn(bundle)]).toEqual([true, false]);
    expect(Object.keys(bundle.metafile.inputs)).toContain(shim);
  });

  test.each(defaultOptimizations)(
    'without %s alone the bundle can be built, and is no smaller',
    async (left) => {
      const { bytes } = await build(defaultOptimizations.filter((optimization) => optimization !== left));
      expect(bytes).toBeGreaterThanOrEqual(bundle.bytes);
    },
  );
});
