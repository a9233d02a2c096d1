import { type Described, familyOf, type Results } from './results.ts';

const rank = { ours: 0, anchor: 1, peer: 2, bound: 3 } as const;

/** The variants as tables list them: ours, the anchor, peers by name with their forms together, then the bounds. */
export const inOrder = (results: Results): readonly Described[] =>
  results.variants.toSorted(
    (a, b) =>
      rank[a.kind] - rank[b.kind] ||
      (a.kind === 'ours' ? 0 : compareWords(familyOf(a.id), familyOf(b.id))) ||
      compareWords(a.form, b.form),
  );

/** By code unit: the same order on every machine, whatever its language. */
const compareWords = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
