import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BuildOptions } from 'esbuild';
import { afterAll, expect, test } from 'vitest';
import * as z from 'zod';
import { temporaryFolder } from '#test/support/processes.ts';
import {
  buildBundle,
  buildFunctions,
  bundleOptions,
  entryOptions,
  externalParts,
} from '#tools/bundle/bundle.ts';
import { projectRoot } from '#tools/project.ts';
import { readServerlessConfig } from '#tools/serverless-config.ts';
import packageJson from '../../package.json' with { type: 'json' };

const folder = temporaryFolder();
afterAll(folder.remove);
const bundle = await buildBundle(join(folder.path, 'update-file.cjs'));

/** The files that contribute to a bundle, and the modules that it loads from outside. */
const contentsOf = ({ metafile }: typeof bundle) => {
  const outputs = Object.values(metafile.outputs);
  const files = outputs.flatMap(({ inputs }) =>
    Object.keys(inputs)
      .filter((path) => (inputs[path]?.bytesInOutput ?? 0) > 0)
      // The folder node_modules may be a link.
      .map((path) => path.replace(/^\.\..*?(?=node_modules\/)/, '')),
  );
  const loaded = new Set(outputs.flatMap(({ imports }) => imports.map(({ path }) => path)));
  return { files, loaded: [...loaded].sort() };
};

const LockfileSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({ peer: z.boolean().optional(), optional: z.boolean().optional() }),
  ),
});

const packageOf = (path: string) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1];

test('the Node of Lambda is the Node of the install, of the types and of the workflows', () => {
  const { optionalDependencies, devDependencies, devEngines } = packageJson;
  const nodes = Object.entries(optionalDependencies).filter(([name]) => name.startsWith('node-'));
  const versions = [
    ...nodes,
    ['@types/node', devDependencies['@types/node']],
    ['devEngines', devEngines.runtime.version],
  ] as const;
  const { runtime } = readServerlessConfig();
  expect(versions.map(([name, version]) => `${name}: nodejs${version.replace(/\..*/, '')}.x`)).toEqual(
    versions.map(([name]) => `${name}: ${runtime}`),
  );
});

// npm leaves out peers under `legacy-peer-deps` and `omit=peer`. One that runs must be named in package.json, as vite is.
test('no package that runs is installed only as a peer of another one', () => {
  const { packages } = LockfileSchema.parse(
    JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8')),
  );
  const peers = Object.entries(packages).filter(([, { peer, optional }]) => peer && !optional);
  expect(peers.map(([path]) => path)).toEqual(['node_modules/@types/json-schema']);
});

test('the bundle contains these packages and folders, and loads these modules from outside', () => {
  const { files, loaded } = contentsOf(bundle);
  const sources = files.map((path) => packageOf(path) ?? path.replace(/\/.*/, '/'));
  expect([...new Set(sources)].sort()).toEqual([
    '@aws-sdk/client-dynamodb',
    '@aws-sdk/core',
    '@aws-sdk/credential-provider-env',
    '@aws-sdk/credential-provider-node',
    '@aws-sdk/dynamodb-codec',
    '@aws-sdk/endpoint-cache',
    '@aws-sdk/lib-dynamodb',
    '@aws-sdk/middleware-endpoint-discovery',
    '@aws-sdk/util-dynamodb',
    '@aws/lambda-invoke-store',
    '@middy/core',
    '@smithy/core',
    '@smithy/node-http-handler',
    '@smithy/signature-v4',
    '@smithy/types',
    'handlers/',
    'lib/',
    'mnemonist',
    'obliterator',
    'zod',
  ]);
  expect(files.filter((path) => path.startsWith('node_modules/zod/v4/classic/'))).toEqual([]);
  expect(loaded).toEqual([
    ...externalParts,
    'node:async_hooks',
    'node:crypto',
    'node:fs',
    'node:fs/promises',
    'node:http',
    'node:https',
    'node:os',
    'node:path',
    'node:process',
    'node:stream',
    'node:timers',
  ]);
});

test('the build writes each function of serverless.yml and the licences of their packages, and nothing else', async () => {
  const built = join(folder.path, 'built');
  mkdirSync(join(built, 'old-folder'), { recursive: true });
  writeFileSync(join(built, 'old.cjs'), '');
  await buildFunctions({ folder: built });
  const perFunction = readServerlessConfig().functions.flatMap(({ file }) => [
    `${file}.cjs`,
    expect.stringMatching(`^${file}\\.cjs\\.[\\da-f]{16}\\.map$`),
    `${file}.mjs`,
  ]);
  const found = readdirSync(built).toSorted();
  expect(found).toHaveLength(1 + perFunction.length);
  expect(found).toEqual(expect.arrayContaining(['LICENSES.txt', ...perFunction]));
  const text = readFileSync(join(built, 'LICENSES.txt'), 'utf8');
  const { files } = contentsOf(bundle);
  const names = files.flatMap((path) => packageOf(path) ?? []);
  expect(text.match(/^\S+(?= \d+\.\d+\.\d+$)/gm)?.sort()).toEqual([...new Set(names)].sort());
  expect(text).toMatch(
    /\n@middy\/core [\d.]+\n\nMIT\n\nCopyright \(c\) Middy contributors\n\nPermission is .*\nSOFTWARE\.\n/s,
  );
  expect(text).toMatch(/\n\nApache License\n/);
});

// The list above holds out other packages. This limit holds out more of these: one paginator and one waiter of
// client-dynamodb take 8 KB, measured on 2026-11-24.
test.each(readServerlessConfig().functions)('the bundle of $name has less than 255 KB', async ({ file }) => {
  const { bytes } = await buildBundle(join(folder.path, 'sizes', `${file}.cjs`));
  expect(bytes).toBeLessThan(255_000);
});

test('what stays outside the bundle is what the SDK imports only when it needs it', () => {
  const imports = Object.values(bundle.metafile.inputs).flatMap((input) => input.imports);
  const outside = imports.filter(({ path, external }) => external && !path.startsWith('node:'));
  expect(outside.map(({ kind, path }) => [kind, path]).toSorted()).toEqual(
    externalParts.map((path) => ['dynamic-import', path]),
  );
});

const sharedOptions =
  'absWorkingDir bundle legalComments mainFields minify platform sourcemap sourcesContent target';
test.each<[string, BuildOptions, options: string, defined: string]>([
  [
    'the bundle',
    bundleOptions('handlers/update-file.ts'),
    `${sharedOptions} define entryPoints external format outfile supported`,
    'process.env.BUNDLE_HASH',
  ],
  [
    'the module that Lambda loads first',
    entryOptions('update-file.cjs', 'hash'),
    `${sharedOptions} define entryPoints format outfile`,
    'BUNDLE BUNDLE_HASH',
  ],
])('%s is built without options that put in other code than tests run', (_, built, options, defined) => {
  const names = { options: Object.keys(built).toSorted(), defined: Object.keys(built.define ?? {}) };
  expect(names, 'docs/decisions/006 lists what only the bundle has: give the reason there').toEqual({
    options: options.split(' ').toSorted(),
    defined: defined.split(' '),
  });
});
