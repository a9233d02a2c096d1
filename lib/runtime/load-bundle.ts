// Not imported: an ES import of a built-in module evaluates all of it, lazy parts included.
const { existsSync, readFileSync } = process.getBuiltinModule('node:fs');
const { createRequire, wrap } = process.getBuiltinModule('node:module');
const { dirname } = process.getBuiltinModule('node:path');
const { Script } = process.getBuiltinModule('node:vm');

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

/** A CommonJS file as a script, which can take compiled code and create it. */
export const toScript = (file: string, cachedData?: Buffer) =>
  new Script(wrap(readFileSync(file, 'utf8')), {
    filename: file,
    columnOffset,
    ...(cachedData && { cachedData }),
  });

/** What `require` does, with a script of ours. */
export const runScript = (script: InstanceType<typeof Script>, file: string): ReturnType<NodeJS.Require> => {
  const module = { exports: {} };
  const run = script.runInThisContext();
  run.call(module.exports, module.exports, createRequire(file), module, file, dirname(file));
  return module.exports;
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
  if (!existsSync(cacheFile)) return { bundle: createRequire(file)(file), codeCache: 'absent' };
  const script = toScript(file, readFileSync(cacheFile));
  return { bundle: runScript(script, file), codeCache: script.cachedDataRejected ? 'rejected' : 'accepted' };
};
