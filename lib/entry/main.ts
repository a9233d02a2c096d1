import { loadBundle } from './load-bundle.ts';

/** Set by the build: whether init makes the first call, and what distinguishes this bundle from all others. */
declare const PRIMED: boolean;
declare const BUNDLE_HASH: string;

/**
 * What Lambda loads: the bundle beside this file, once its first call to DynamoDB is behind it. An ES module, because
 * only there init can wait; the bundle itself is CommonJS, which starts faster.
 */
const bundle: typeof import('#handlers/update-file.ts') = loadBundle(
  `${import.meta.dirname}/update-file.cjs`,
  BUNDLE_HASH,
);
if (PRIMED) await bundle.prime();

export const handler = bundle.handler;
