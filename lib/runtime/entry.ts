import { loadBundle } from './load-bundle.ts';

/** Set by the build: whether init makes the first call, and what distinguishes this bundle from all others. */
declare const PRIMED: boolean;
declare const BUNDLE_HASH: string;

type Bundle = {
  readonly handler: (event: unknown, context: unknown) => Promise<unknown>;
  readonly prime: () => Promise<void>;
};

/**
 * What Lambda loads: the bundle beside this file, after its first call to DynamoDB. It is an ES module, because only
 * there init can wait; the bundle itself is CommonJS, which starts faster.
 */
const bundle: Bundle = loadBundle(`${import.meta.dirname}/update-file.cjs`, BUNDLE_HASH);
if (PRIMED) await bundle.prime();

export const handler = bundle.handler;
