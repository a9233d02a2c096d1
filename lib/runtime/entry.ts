import { loadBundle } from './load-bundle.ts';

/** Set by the build: the bundle, and what distinguishes it from all others. */
declare const BUNDLE: string;
declare const BUNDLE_HASH: string;

// What Lambda loads: the bundle beside this file, which it primes. It is an ES module, because only there init can wait;
// the bundle itself is CommonJS, which starts faster. Each start leaves one line in the log.

// Without a listener, a closed stdout would end the process.
process.stdout.on('error', () => undefined);
const { bundle, codeCache } = loadBundle(`${import.meta.dirname}/${BUNDLE}`, BUNDLE_HASH);
const start = {
  level: 'info',
  bundle: BUNDLE_HASH,
  commit: process.env['COMMIT'],
  node: process.version,
  codeCache,
};
process.stdout.write(`${JSON.stringify(start)}\n`);
await bundle.prime();

export const handler = bundle.handler;
