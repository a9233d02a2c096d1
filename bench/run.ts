import { join } from 'node:path';
import { runCommand } from '../local/command.ts';
import { projectRoot } from '../local/project.ts';
import { buildVariants } from './build.ts';
import { checkAnswers } from './check-answers.ts';
import { measureGrowth } from './measure/growth/growth.ts';
import { bytesOf } from './measure/levers.ts';
import { writeRendered } from './report/files.ts';
import { readResults } from './report/read.ts';
import { renderAll } from './report/render.ts';
import { renderTables } from './report/table.ts';
import { writeResults } from './report/write.ts';
import { measurePart } from './run/measure-part.ts';
import { benchUsage, readBenchOptions } from './run/options.ts';
import { originOf } from './run/origin.ts';
import { createProgress } from './run/progress.ts';
import type { Growth, Measurement, Variant } from './types.ts';
import { startWorld, type World } from './world/world.ts';

const resultsFolder = join(projectRoot, 'bench', 'results');

const withWorld = async <Result>(use: (world: World) => Promise<Result>): Promise<Result> => {
  const world = await startWorld();
  try {
    return await use(world);
  } finally {
    await world.stop();
  }
};

/** `npm run bench`: builds, checks that all answer alike, measures, and reports. */
await runCommand(async () => {
  const { quick, report, help, parts } = readBenchOptions(process.argv.slice(2));
  if (help) return void process.stdout.write(benchUsage);
  const folder = quick ? join(resultsFolder, 'quick') : resultsFolder;
  if (!report) await measure(folder, { quick, parts });
  const results = readResults(folder);
  if (!quick) writeRendered(projectRoot, renderAll(results));
  const { columns = 120, isTTY = false } = process.stdout;
  process.stdout.write(renderTables(results, { width: columns, colour: isTTY && !process.env['NO_COLOR'] }));
});

type Choice = Pick<ReturnType<typeof readBenchOptions>, 'quick' | 'parts'>;

const measure = async (folder: string, { quick, parts }: Choice): Promise<void> => {
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
    progress.part(`measured: ${name}`);
  }
  writeResults(folder, { variants, measurements, growths });
};

const sizesOf = (variants: readonly Variant[]) => [
  bytesOf(variants, 'size', 'Bundle', ({ bytes }) => bytes),
  bytesOf(variants, 'gzip', 'Bundle, gzipped', ({ gzipBytes }) => gzipBytes),
];
