import { createRandom } from './random.ts';

/** Chooses one of so many options: its index. */
export type ChooseIndex = (count: number) => number;

/** One run of a program that makes choices, and the choices that it made. */
type Explored<Result> = { readonly result: Result; readonly choices: readonly number[] };

type Ran<Result> = { readonly result: Result; readonly made: readonly Choice[] };
type Choice = { readonly index: number; readonly count: number };

/** Runs a program once: by these choices, and then always by the first option. */
const runOnce = async <Result>(
  run: (choose: ChooseIndex) => Promise<Result>,
  first: readonly number[],
): Promise<Ran<Result>> => {
  const made: Choice[] = [];
  const result = await run((count) => {
    const index = first[made.length] ?? 0;
    made.push({ index, count });
    return index;
  });
  return { result, made };
};

/**
 * Runs a program with every sequence of choices that it can make, once each. Each run repeats the one before up to its
 * last choice that has a next option, and takes that option. The program must make the same choices if it gets the same
 * answers.
 */
export async function* exhaust<Result>(
  run: (choose: ChooseIndex) => Promise<Result>,
): AsyncGenerator<Explored<Result>> {
  let first: readonly number[] | undefined = [];
  while (first) {
    const ran: Ran<Result> = await runOnce(run, first);
    const { result, made } = ran;
    yield { result, choices: made.map(({ index }) => index) };
    const last = made.findLastIndex(({ index, count }) => index + 1 < count);
    first =
      last < 0
        ? undefined
        : made.slice(0, last + 1).map(({ index }, at) => (at === last ? index + 1 : index));
  }
}

/**
 * Runs a program so many times, with choices that a seed draws.
 *
 * @param seed an integer; the same seed draws the same choices
 */
export async function* sample<Result>(
  run: (choose: ChooseIndex) => Promise<Result>,
  { count, seed }: { readonly count: number; readonly seed: number },
): AsyncGenerator<Explored<Result>> {
  const random = createRandom(seed);
  for (let runs = 0; runs < count; runs += 1) {
    const choices: number[] = [];
    const result = await run((options) => {
      const index = Math.floor(random() * options);
      choices.push(index);
      return index;
    });
    yield { result, choices };
  }
}
