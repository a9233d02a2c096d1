import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Bundle, buildBundle } from '#local/build/bundle.ts';
import { defaultLevers, type Lever, levers } from '#local/build/levers.ts';
import { readBuildOptions } from '#local/build/read-options.ts';
import { Complaint } from '#local/complaint.ts';
import localPlugin from '#local/serverless-plugin.ts';
import { temporaryFolder } from '#test/local/support/processes.ts';

const folder = temporaryFolder();
afterAll(folder.remove);
const fileOf = (used: readonly Lever[]) => join(folder.path, used.join('+') || 'none', 'update-file.cjs');
const build = (used: readonly Lever[]) => buildBundle({ levers: used, file: fileOf(used) });

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
  bundle = await build(defaultLevers);
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
    ...['node:process', 'node:stream', 'node:timers', 'node:timers/promises', 'node:util'],
  ]);
});

describe('optimizations', () => {
  const shims = Object.entries(levers).flatMap(([name, alias]) =>
    Object.entries(alias).map(([replaced, shim]) => ({ name, replaced, shim: shim.slice(2) })),
  );

  test('these files replace parts of the SDK; without optimizations none does, and no module comes first', () => {
    const used = Object.keys(bundle.metafile.inputs).filter((path) => path.startsWith('lib/runtime/shims/'));
    const names = ['checksum', 'collect-stream', 'credentials', 'endpoint-discovery'];
    const more = ['event-streams', 'no-files', 'request-handler', 'sha256'];
    expect(used.sort()).toEqual([...names, ...more].map((name) => `lib/runtime/shims/${name}.ts`));
    expect(contentsOf(plain).files.filter((path) => shims.some(({ shim }) => shim === path))).toEqual([]);
    expect(readdirSync(dirname(fileOf(defaultLevers))).sort()).toEqual([
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

  test.each(defaultLevers)('without %s alone the bundle can be built, and is no smaller', async (left) => {
    const { bytes } = await build(defaultLevers.filter((lever) => lever !== left));
    expect(bytes).toBeGreaterThanOrEqual(bundle.bytes);
  });
});

describe('build options', () => {
  const all = ['env-credentials', 'no-endpoint-discovery', 'no-event-streams', 'own-request-handler'];
  const names = [...all, 'own-sha256', 'primed'];
  const unknown = (name: string) => `There is no "${name}" to leave out; there is: ${names.join(', ')}.`;
  const twoLess = names.filter((name) => !['primed', 'own-request-handler'].includes(name));

  test.each([
    [[], names],
    [['--code-cache'], [...names, 'code-cache']],
    [['--without', 'primed', '--without', 'own-request-handler'], twoLess],
  ])('npm run build -- %j', (args, expected) => {
    expect(readBuildOptions(args)).toEqual({ help: false, levers: expected });
  });

  test.each([
    [['--without', 'nothing'], unknown('nothing')],
    [['--without', 'code-cache'], unknown('code-cache')],
    [['--nothing'], "Unknown option '--nothing'; npm run build -- --help shows what there is."],
  ])('%j is rejected in one sentence', (args, sentence) => {
    expect(() => readBuildOptions(args)).toThrow(new Complaint(sentence));
  });

  test.each([
    [{ without: ['nothing'], codeCache: false }, unknown('nothing')],
    [undefined, 'custom.build needs "without" and "codeCache".'],
    [{ without: [] }, 'custom.build needs "without" and "codeCache".'],
    [{ without: [], codeCache: false, minify: false }, 'custom.build needs "without" and "codeCache".'],
  ])('custom.build of serverless.yml: %j is rejected', async (custom, sentence) => {
    const service = { custom: { build: custom } };
    const input = { classes: { Error }, processedInput: { commands: ['package'] }, service };
    const packaging = localPlugin(input).hooks['before:package:createDeploymentArtifacts']();
    await expect(packaging).rejects.toThrow(sentence);
  });
});
