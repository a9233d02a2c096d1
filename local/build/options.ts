import type { BuildOptions } from 'esbuild';
import { projectRoot } from '#local/project.ts';
import { type Lever, levers } from './levers.ts';

const shared = {
  absWorkingDir: projectRoot,
  bundle: true,
  write: false,
  platform: 'node',
  target: 'node24',
  // The ES module builds of the SDK leave out what is not used; their CommonJS builds cannot.
  mainFields: ['module', 'main'],
  minify: true,
  // The bundle is run, not handed on; the licences stay with the packages.
  legalComments: 'none',
  logLevel: 'silent',
  metafile: true,
} as const satisfies BuildOptions;

/** How the function is bundled, with everything it imports. */
export const bundleOptions = (used: readonly Lever[]) => ({
  ...shared,
  entryPoints: ['handlers/update-file.ts'],
  // CommonJS starts faster: an ES import of node:http evaluates all of it, an HTTP client of its own included.
  format: 'cjs' as const,
  supported: { 'dynamic-import': false },
  alias: Object.fromEntries(used.flatMap((lever) => Object.entries(levers[lever]))),
});

/** How the module is bundled that Lambda loads first. */
export const entryOptions = (used: readonly Lever[], hash: string) => ({
  ...shared,
  entryPoints: ['lib/runtime/entry.ts'],
  format: 'esm' as const,
  define: { PRIMED: String(used.includes('primed')), BUNDLE_HASH: JSON.stringify(hash) },
});
