import type { Context } from 'aws-lambda';

// Not imported: an ES import of a built-in module evaluates all of it, lazy parts included.
const { existsSync, readFileSync } = process.getBuiltinModule('node:fs');
const { createRequire, wrap } = process.getBuiltinModule('node:module');
const { dirname } = process.getBuiltinModule('node:path');
const { Script } = process.getBuiltinModule('node:vm');

/** What a bundle exports. */
export type Bundle = {
  readonly handler: (event: unknown, context: Context) => Promise<unknown>;
  readonly prime: () => Promise<unknown>;
};

const isBundle = (exports: unknown): exports is Bundle =>
  exports instanceof Object && 'handler' in exports && 'prime' in exports;
const expectBundle = (exports: unknown): Bundle => {
  if (isBundle(exports)) return exports;
  throw new Error('the bundle does not export handler and prime');
};

/**
 * The file of a bundle's compiled code. V8 compares only the length of the source, so the name says which bundle it
 * belongs to; and which Node made it, because no other can use it.
 */
export const cacheFileOf = (file: string, hash: string): string =>
  `${file}.${hash}.${process.version}-${process.arch}.cache`;

/**
 * Node puts the head of a function before the first line of a module. The offset takes it away again, so that stack
 * frames name the columns of the file, as its source map does.
 */
const columnOffset = -wrap('').indexOf('\n');

/**
 * What `require` does for a bundle, with a script that can take compiled code and create it.
 *
 * @param cachedData compiled code of the file; without it, V8 compiles the file
 */
export const requireScript = (file: string, cachedData?: Buffer) => {
  const options = { filename: file, columnOffset, ...(cachedData && { cachedData }) };
  const script = new Script(wrap(readFileSync(file, 'utf8')), options);
  const module: { exports: unknown } = { exports: {} };
  const run = script.runInThisContext();
  run.call(module.exports, module.exports, createRequire(file), module, file, dirname(file));
  return { bundle: expectBundle(module.exports), script };
};

/**
 * Loads a CommonJS bundle, with V8's compiled code if there is a file of it (docs/decisions/007). V8 itself rejects
 * code that does not fit its flags, and compiles as usual.
 *
 * @param file absolute path
 * @param hash of the bundle, as the build wrote it
 * @returns what the bundle exports, and whether V8 accepted the compiled code, if there is any
 */
export const loadBundle = (file: string, hash: string) => {
  const cacheFile = cacheFileOf(file, hash);
  if (!existsSync(cacheFile)) return { bundle: expectBundle(createRequire(file)(file)), codeCache: 'absent' };
  const { bundle, script } = requireScript(file, readFileSync(cacheFile));
  return { bundle, codeCache: script.cachedDataRejected ? 'rejected' : 'accepted' };
};
