// Not imported: an ES import of a built-in module evaluates everything it holds, lazy parts too.
const { existsSync, readFileSync } = process.getBuiltinModule('node:fs');
const { createRequire, wrap } = process.getBuiltinModule('node:module');
const { dirname } = process.getBuiltinModule('node:path');
const { Script } = process.getBuiltinModule('node:vm');

/**
 * Where a bundle's compiled code lies. V8 looks at no more of a source than its length, so the name says which bundle
 * it is of; and which Node it is for, for no other can use it.
 */
export const cacheFileOf = (file: string, hash: string): string =>
  `${file}.${hash}.${process.version}-${process.arch}.cache`;

/** A CommonJS file as a script that can be given its compiled code, and be asked for it. */
export const toScript = (file: string, cachedData?: Buffer) =>
  new Script(wrap(readFileSync(file, 'utf8')), { filename: file, ...(cachedData && { cachedData }) });

/** What `require` does, with a script of ours. */
export const runScript = (script: InstanceType<typeof Script>, file: string): ReturnType<NodeJS.Require> => {
  const module = { exports: {} };
  const run = script.runInThisContext();
  run.call(module.exports, module.exports, createRequire(file), module, file, dirname(file));
  return module.exports;
};

/**
 * Loads a CommonJS bundle; with the code that V8 compiled earlier where that lies beside it (docs/decisions/011). V8
 * itself refuses code that does not fit its flags, and compiles as if there were none.
 *
 * @param file absolute path
 * @param hash of the bundle, as the build wrote it
 */
export const loadBundle = (file: string, hash: string) => {
  const cacheFile = cacheFileOf(file, hash);
  if (!existsSync(cacheFile)) return createRequire(file)(file);
  return runScript(toScript(file, readFileSync(cacheFile)), file);
};
