import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { runCommand, UsageError } from '../tools/cli.ts';
import { buildVariants } from './build.ts';
import { withTables } from './fixture.ts';
import { measure, measurementNames } from './measurements.ts';
import { checkResponses } from './requests.ts';
import { type Figures, type Results, readResults, resultsFile, toJson } from './results.ts';

const usage = `Usage: npm run bench -- [options]

Compares the function with other ways to write it. A whole run takes up to 9 minutes and writes
bench/results.json. Every run writes docs/performance.md from that file.

  --quick      fewer rounds, at most 90 seconds: figures to look at, not to publish
  --only NAME  this measurement alone; may be repeated (${measurementNames.join(', ')})
  --help       show this text

Keep the machine quiet during a run.
`;

const progress = (text: string) => process.stderr.write(`${process.uptime().toFixed(0)} s  ${text}\n`);

const measureAll = async (only: readonly string[], quick: boolean): Promise<Results> => {
  const at = new Date().toISOString();
  const variants = await buildVariants();
  progress(`${variants.length} variants are built`);
  for (const variant of variants) await withTables([], (environment) => checkResponses(variant, environment));
  progress('all of them give the expected responses');
  const figures: Figures = {};
  for (const name of only) {
    const measured = await measure(name, variants, quick);
    Object.assign(figures, measured);
    progress(Object.keys(measured).length > 0 ? name : `${name} is skipped: no CPU quota is allowed here`);
  }
  return {
    at,
    node: process.versions.node,
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    variants: Object.fromEntries(variants.map(({ id, name }) => [id, name])),
    figures,
  };
};

/** `npm run bench`: builds, checks that all variants give the expected responses, measures, and reports. */
await runCommand(usage, async () => {
  const { quick, only } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [...measurementNames] },
    },
  }).values;
  const unknown = only.find((name) => !measurementNames.includes(name));
  if (unknown !== undefined) throw new UsageError(`There is no measurement "${unknown}".`);
  // What the benchmark compares with and needs, apart from the default install.
  execFileSync('npm', ['ci', '--prefix', import.meta.dirname, '--silent'], { stdio: 'inherit' });
  const { pageFile, partsOf, renderPage } = await import('./page.ts');
  const results = await measureAll(only, quick);
  const { figures, growth } = partsOf(results);
  process.stdout.write(`\n${[figures, growth].filter(Boolean).join('\n\n')}\n`);
  const isWhole = !quick && only.length === measurementNames.length;
  if (isWhole) writeFileSync(resultsFile, toJson(results));
  const page = readFileSync(pageFile, 'utf8');
  const rendered = renderPage(page, readResults());
  writeFileSync(pageFile, rendered);
  if (!isWhole && rendered !== page)
    throw new UsageError('docs/performance.md was stale. It is written again: commit it.');
});
