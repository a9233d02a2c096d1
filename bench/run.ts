import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { runCommand, UsageError } from '../tools/cli.ts';
import { buildVariants } from './build.ts';
import { withFixture } from './fixture.ts';
import { calls } from './measure/calls.ts';
import { cold } from './measure/cold.ts';
import { cold512 } from './measure/cold-512.ts';
import { cpu } from './measure/cpu.ts';
import { growth } from './measure/growth.ts';
import { memory } from './measure/memory.ts';
import { size } from './measure/size.ts';
import { wall } from './measure/wall.ts';
import type { Measurement } from './measurement.ts';
import { pageFile, renderFigures, renderPage } from './page.ts';
import { checkResponses } from './requests.ts';
import { type Figures, type Results, readResults, resultsFile, toJson } from './results.ts';

const measurements = new Map<string, Measurement>(
  Object.entries({ size, cold, 'cold-512': cold512, wall, cpu, memory, calls, growth }),
);
const names = [...measurements.keys()];

const usage = `Usage: npm run bench -- [options]

Compares the function with other ways to write it. A whole run takes up to 8 minutes and writes
bench/results.json and docs/performance.md. Other runs write nothing.

  --quick      fewer rounds, at most 90 seconds: figures to look at, not to publish
  --only NAME  this measurement alone; may be repeated (${names.join(', ')})
  --report     measure nothing, write docs/performance.md from bench/results.json
  --help       show this text

Keep the machine quiet during a run.
`;

const readOptions = () => {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: names },
      report: { type: 'boolean', default: false },
    },
  });
  const unknown = values.only.find((name) => !measurements.has(name));
  if (unknown !== undefined)
    throw new UsageError(`There is no measurement "${unknown}": ${names.join(', ')}.`);
  return values;
};

const startedAt = performance.now();
const progress = (text: string) =>
  process.stderr.write(`${((performance.now() - startedAt) / 1000).toFixed(0)} s  ${text}\n`);

const measure = async ({ quick, only }: { quick: boolean; only: readonly string[] }): Promise<Results> => {
  const at = new Date().toISOString();
  const variants = await buildVariants();
  progress(`${variants.length} variants are built`);
  await withFixture(({ environment }) => checkResponses(variants, environment));
  progress('all of them give the same responses');
  let figures: Figures = {};
  for (const name of only) {
    figures = { ...figures, ...(await measurements.get(name)?.({ variants, quick })) };
    progress(`measured: ${name}`);
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

/** `npm run bench`: builds, checks that all variants give the same responses, measures, and reports. */
await runCommand(usage, async () => {
  const { quick, only, report } = readOptions();
  const page = readFileSync(pageFile, 'utf8');
  if (report) return writeFileSync(pageFile, renderPage(page, readResults()));
  const results = await measure({ quick, only });
  process.stdout.write(`\n${renderFigures(results)}`);
  if (!quick && only.length === names.length) {
    writeFileSync(resultsFile, toJson(results));
    writeFileSync(pageFile, renderPage(page, results));
  } else if (renderPage(page, readResults()) !== page)
    throw new UsageError('docs/performance.md is stale; write it with: npm run bench -- --report');
});
