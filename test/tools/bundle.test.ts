import { globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '#test/support/processes.ts';
import { buildBundle, buildFunctions } from '#tools/bundle/bundle.ts';
import {
  defaultOptimizations,
  type Optimization,
  optimizations,
  readOptimizations,
} from '#tools/bundle/optimizations.ts';
import { projectRoot } from '#tools/project.ts';
import { readServerlessConfig } from '#tools/serverless-config.ts';
import benchPackageJson from '../../bench/package.json' with { type: 'json' };
import packageJson from '../../package.json' with { type: 'json' };

const folder = temporaryFolder();
afterAll(folder.remove);
const build = (name: string, used: readonly Optimization[]) =>
  buildBundle({ optimizations: used, file: join(folder.path, name, 'update-file.cjs') });
type Bundle = Awaited<ReturnType<typeof build>>;
const bundle = await build('all', defaultOptimizations);
const plain = await build('none', []);

/** The files that contribute to a bundle, and the Node modules that it loads. */
const contentsOf = ({ metafile }: Bundle) => {
  const outputs = Object.values(metafile.outputs);
  const files = outputs.flatMap(({ inputs }) =>
    Object.keys(inputs)
      .filter((path) => (inputs[path]?.bytesInOutput ?? 0) > 0)
      // The folder node_modules may be a link.
      .map((path) => path.replace(/^\.\..*?(?=node_modules\/)/, '')),
  );
  const builtIns = new Set(outputs.flatMap(({ imports }) => imports.map(({ path }) => path)));
  return { files, builtIns: [...builtIns].sort() };
};

const packageOf = (path: string) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1];

test('the Node of Lambda is the Node of the install, of the types and of the workflows', () => {
  const { optionalDependencies, devDependencies, devEngines } = packageJson;
  const nodes = Object.entries(optionalDependencies).filter(([name]) => name.startsWith('node-'));
  const versions = [
    ...nodes,
    ['@types/node', devDependencies['@types/node']],
    ['devEngines', devEngines.runtime.version],
    ['@types/node of bench', benchPackageJson.devDependencies['@types/node']],
  ] as const;
  const { runtime } = readServerlessConfig();
  expect(versions.map(([name, version]) => `${name}: nodejs${version.replace(/\..*/, '')}.x`)).toEqual(
    versions.map(([name]) => `${name}: ${runtime}`),
  );
});

test('the bundle contains these packages and folders, and loads these modules of Node', () => {
  const { files, builtIns } = contentsOf(bundle);
  const sources = files.map((path) => packageOf(path) ?? path.replace(/\/.*/, '/'));
  expect([...new Set(sources)].sort()).toEqual([
    '@aws-sdk/client-dynamodb',
    '@aws-sdk/core',
    '@aws-sdk/credential-provider-env',
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
  expect(builtIns).toEqual([
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

test.each(readServerlessConfig().functions)(
  'the bundle of $name has less than 250 KB, and less than 85 KB with gzip',
  async ({ file }) => {
    const { bytes, gzipBytes } = await buildBundle({
      optimizations: defaultOptimizations,
      file: join(folder.path, 'sizes', `${file}.cjs`),
    });
    expect(bytes).toBeLessThan(250_000);
    expect(gzipBytes).toBeLessThan(85_000);
  },
);

test('readOptimizations uses all but those that are left out, and the code cache only if it is asked to', () => {
  expect(readOptimizations({ without: [], codeCache: false })).toStrictEqual(defaultOptimizations);
  const kept = defaultOptimizations.filter((name) => name !== 'primed');
  expect(readOptimizations({ without: ['primed'], codeCache: true })).toStrictEqual([...kept, 'code-cache']);
});

test.each([
  [{ without: ['code-cache'], codeCache: false }, /Invalid option.*at without\[0\]/s],
  [{ without: [], codeCache: false, minify: false }, /Unrecognized key: "minify"/],
])('readOptimizations rejects %j in custom.build of serverless.yml', (options, problem) => {
  expect(() => readOptimizations(options)).toThrow(problem);
});

describe('optimizations', () => {
  const shims = Object.entries(optimizations).flatMap(([name, alias]) =>
    Object.entries(alias).map(([replaced, shim]) => ({ name, replaced, shim: shim.slice(2) })),
  );

  // Fails when nothing imports any more what is replaced, or something imports what the shim lacks.
  test.each(shims)('$name: $shim replaces $replaced', ({ replaced, shim }) => {
    const isOurs = replaced.startsWith('#');
    const path = isOurs
      ? replaced.slice(1)
      : `node_modules/${replaced.replace('@smithy/core/', '@smithy/core/dist-es/submodules/')}/`;
    const isIn = (of: Bundle) => {
      const { files, builtIns } = contentsOf(of);
      return files.some((file) => file.startsWith(path)) || builtIns.includes(replaced);
    };
    // A shim for a module of ours uses that module.
    expect([isIn(plain), isIn(bundle)]).toEqual([true, isOurs]);
    expect(Object.keys(bundle.metafile.inputs)).toContain(shim);
    expect(Object.keys(plain.metafile.inputs)).not.toContain(shim);
  });

  test('each shim replaces a module, or helps another shim', () => {
    const inputs = Object.keys(bundle.metafile.inputs);
    expect(inputs).toEqual(expect.arrayContaining(globSync('lib/runtime/shims/*.ts', { cwd: projectRoot })));
  });
});
