import { markdownTable } from '../markdown.ts';
import { ANCHOR, nameOf, OURS, type Results, SDK_ONLY } from '../results.ts';

const meanings: Readonly<Record<string, string>> = {
  [OURS]: 'this function in one CommonJS bundle, which loads without waiting for anything',
  [`${OURS}-cached`]: "the same with V8's code cache, made at build time",
  [`${OURS}-primed`]:
    'the same with one read awaited while it is loaded, so that a first request finds its connections open: what is deployed',
  [`${OURS}-primed-cached`]: 'both',
  [`${OURS}-plain-sdk`]: 'the first of these with nothing of the AWS SDK replaced',
  [ANCHOR]: 'the AWS SDK, three calls in a row, bundled and minified: every ratio is to it',
  [`${ANCHOR}-unbundled`]: 'the same code, its packages loaded from node_modules',
  floor: 'node:http and a hand-made signature, three calls, no packages at all: a bound, not a way to work',
  [SDK_ONLY]: 'our two SDK calls without our checks: a part of ours, and no other way to do the job',
};

/** What the variants that are no package are; those of this run only. */
export const names = (results: Results): string => {
  const ids = new Set(results.variants.map(({ id }) => id));
  const rows = Object.entries(meanings).filter(([id]) => ids.has(id));
  return markdownTable(
    ['variant', 'what it is'],
    rows.map(([id, meaning]) => [nameOf(results, id), meaning]),
  );
};
