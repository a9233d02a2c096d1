import type { Data } from '../tools/dev-server/data.ts';
import { type Counts, withEndpoint } from './endpoint.ts';
import { type Environment, withTables } from './fixture.ts';
import { type Job, measureRun, type Run, type Variant } from './process.ts';
import { update } from './requests.ts';
import type { Figure, Figures } from './results.ts';

/** A run of one process, and what all its requests consumed at DynamoDB; zero unless DynamoDB is remote. */
export type Sample = Run & Counts;

type Conditions = Partial<Job> & {
  /** DynamoDB is as far away as inside a Region, and every call is counted. */
  readonly isRemote?: boolean;
  /** More files than the demo data has. */
  readonly files?: Data['files'];
};

/** Figures of subjects, by name. A figure has one value for each round, or one for all of them. */
export type Plan = {
  /** Variants under the ids that they have in the results, with conditions of their own. */
  readonly subjects: readonly (Variant & Conditions)[];
  readonly conditions?: Conditions;
  /** 1 if absent. */
  readonly rounds?: number;
  readonly figures: Readonly<Record<string, (samples: readonly Sample[]) => number[]>>;
};

const noCounts: Counts = { calls: 0, readUnits: 0, writeUnits: 0 };

/** A process of its own, on an engine of its own: what one variant leaves there concerns no other. */
const takeSample = ({ isRemote = false, files = [], ...given }: Variant & Conditions): Promise<Sample> => {
  const job = { requests: [update], ...given };
  const run = async (env: Environment, counts = noCounts) => {
    return { ...(await measureRun(job, env, job)), ...counts };
  };
  return withTables(files, (tables) => (isRemote ? withEndpoint(tables, run) : run(tables)));
};

const shuffled = <Value>(values: readonly Value[]): readonly Value[] => {
  const placed = values.map((value) => ({ value, place: Math.random() }));
  return placed.toSorted((a, b) => a.place - b.place).map(({ value }) => value);
};

/** Every subject once per round, in random order: other work of the machine affects all of them alike. */
export const runPlan = async ({ subjects, conditions, rounds = 1, figures }: Plan): Promise<Figures> => {
  const samples = new Map<string, Sample[]>(subjects.map(({ id }) => [id, []]));
  for (let round = 1; round <= rounds; round += 1)
    for (const subject of shuffled(subjects))
      samples.get(subject.id)?.push(await takeSample({ ...conditions, ...subject }));
  const figureOf = (valuesOf: (taken: readonly Sample[]) => number[]): Figure =>
    Object.fromEntries([...samples].map(([id, taken]) => [id, valuesOf(taken)]));
  return Object.fromEntries(Object.entries(figures).map(([name, valuesOf]) => [name, figureOf(valuesOf)]));
};
