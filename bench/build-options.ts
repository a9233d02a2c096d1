import type { BuildOptions } from 'esbuild';
import { bundleOptions } from '../tools/build/bundle.ts';
import { defaultOptimizations } from '../tools/build/optimizations.ts';

/**
 * How a careful team bundles any handler. CommonJS, also where the documentation shows ES modules: it loads faster,
 * so it is in the peers' favour.
 */
export const asWrittenOptions = (): BuildOptions => ({
  bundle: true,
  minify: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  mainFields: ['module', 'main'],
  legalComments: 'none',
});

/** The SDK that our stand-ins belong to: a second copy of it from bench/node_modules would count twice. */
const ourSdk = Object.fromEntries(
  ['client-dynamodb', 'lib-dynamodb', 'util-dynamodb'].map((name) => [
    `@aws-sdk/${name}`,
    `./node_modules/@aws-sdk/${name}`,
  ]),
);

/** The settings and stand-ins of our own build. */
export const equalisedOptions = (): BuildOptions => {
  const { alias, supported } = bundleOptions(defaultOptimizations);
  return { ...asWrittenOptions(), supported, alias: { ...ourSdk, ...alias } };
};

/** Transpiled, with the packages left where they are installed. */
export const unbundledOptions = (): BuildOptions => ({
  ...asWrittenOptions(),
  packages: 'external',
  minify: false,
});
