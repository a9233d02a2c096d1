import type { Variant } from './process.ts';
import type { Figure, Figures } from './results.ts';

/** `quick` asks for fewer rounds and shorter loops: figures to look at, not to publish. */
type Setting = { readonly variants: readonly Variant[]; readonly quick: boolean };

/** A measurement starts what it needs and gives one or more figures of the variants. */
export type Measurement = (setting: Setting) => Promise<Figures>;

const shuffled = <Value>(values: readonly Value[]): readonly Value[] => {
  const placed = values.map((value) => ({ value, place: Math.random() }));
  return placed.toSorted((a, b) => a.place - b.place).map(({ value }) => value);
};

/**
 * Measures every subject once per round, each round in another order: other work of the machine affects all of them
 * alike. `valuesOf` takes one value of each sample.
 */
export const inRounds = async <Subject extends { readonly id: string }, Sample>(
  subjects: readonly Subject[],
  rounds: number,
  measure: (subject: Subject) => Promise<Sample>,
) => {
  const samples = new Map<string, Sample[]>(subjects.map(({ id }) => [id, []]));
  for (let round = 1; round <= rounds; round += 1)
    for (const subject of shuffled(subjects)) samples.get(subject.id)?.push(await measure(subject));
  const valuesOf = (value: (sample: Sample) => number): Figure =>
    Object.fromEntries([...samples].map(([id, taken]) => [id, taken.map(value)]));
  return { samples, valuesOf };
};

/** All forms of our function have the same bundle and run the same code once they are warm: one is measured. */
export const oncePerCode = (variants: readonly Variant[]): readonly Variant[] =>
  variants.filter(({ id }) => !id.startsWith('space-files-'));
