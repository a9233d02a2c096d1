import fc from 'fast-check';
import { replayCommand, seed } from '#test/proof/support/run.ts';

/**
 * Checks a property; a failure tells the smallest case found, the seed, its path, and the command that repeats it.
 *
 * @param file the proof file
 * @param runs how many cases
 * @param lane keeps checks apart that run side by side from one seed
 */
export const expectProperty = async <Values>(
  property: fc.IAsyncProperty<Values>,
  { file, runs, lane = 0 }: { file: string; runs: number; lane?: number },
): Promise<void> => {
  const details = await fc.check(property, { seed: seed + lane, numRuns: runs });
  if (!details.failed) return;
  const told = await fc.asyncDefaultReportMessage(details);
  throw new Error(`${told}\nReplay with: ${replayCommand(file)}`, { cause: details.errorInstance });
};
