'use strict';
/** Loads a handler as Lambda's runtime client does: `require` for .cjs, `import` for .mjs with its top-level await. */

const { pathToFileURL } = require('node:url');

/** Gives the handler and the milliseconds that loading took. */
exports.load = async (file) => {
  const startedAt = performance.now();
  const loaded = file.endsWith('.mjs') ? await import(pathToFileURL(file).href) : require(file);
  const initMs = performance.now() - startedAt;
  return { handler: loaded.handler, initMs };
};
