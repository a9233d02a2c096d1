import { buildVariants } from '../build.ts';
import { checkAnswers } from '../check-answers.ts';
import { measureGrowth } from '../measure/growth/growth.ts';
import { bytesOf } from '../measure/levers.ts';
import { writeResults } from '../report/write.ts';
import type { Growth, Measurement, Variant } from '../types.ts';
import { startWorld, type World } from '../world/world.ts';
import { measurePart } from './measure-part.ts';
import type { BenchOptions } from './options.ts';
import { originOf } from './origin.ts';
import { createProgress } from './progress.ts';

const withWorld = async <Result>(use: (world: World) => Promise<Result>): Promise<Result> => {
  const world = await startWorld();
  try {
    return await use(world);
  } finally {
    await world.stop();
  }
};

/** Builds everything, checks that all answer alike, measures the parts and writes what came into a folder. */
export const measureAll = async (
  folder: string,
  { quick, parts }: Pick<BenchOptions, 'quick' | 'parts'>,
): Promise<void> => {
  const origin = originOf({ quick, at: new Date() });
  const progress = createProgress(process.stderr);
  const variants = await buildVariants({ quick });
  progress.part(`${variants.length} variants built`);
  await withWorld((world) => checkAnswers(variants, world));
  progress.part('all of them answer alike');

  const measurements: Measurement[] = sizesOf(variants).map((size) => ({ ...origin, ...size }));
  const growths: Growth[] = [];
  for (const name of parts) {
    if (name === 'growth') {
      const variant = variants.find(({ id }) => id === 'space-files');
      if (variant === undefined) throw new Error('ours was not built');
      const setting = { variant, rounds: 1, quick, progress: progress.step };
      const grown = await withWorld((world) => measureGrowth({ ...setting, world }));
      growths.push(...grown.map((growth) => ({ ...origin, ...growth })));
    } else {
      const taken = await measurePart(name, { variants, quick, progress: progress.step });
      measurements.push(...taken.map((one) => ({ ...origin, ...one })));
    }
    // Part by part, so that what fails late costs nothing that was measured before.
    writeResults(folder, { variants, measurements, growths });
    progress.part(`measured: ${name}`);
  }
};

const sizesOf = (variants: readonly Variant[]) => [
  bytesOf(variants, 'size', 'Bundle', ({ bytes }) => bytes),
  bytesOf(variants, 'gzip', 'Bundle, gzipped', ({ gzipBytes }) => gzipBytes),
];
