// What is measured, and how: bench/README.md.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { readArguments, runCommand, UsageError } from '../tools/cli.ts';
import { projectRoot } from '../tools/project.ts';
import { buildCommit, buildVariants } from './build.ts';
import { withTables } from './fixture.ts';
import { countStarts, countWarm, measureRuns } from './measurements.ts';
import { hasValgrind, measureRun, type Variant } from './process.ts';
import { checkedRequests } from './requests.ts';
import { readResults, regressionsOf, resultsFile, toJson, unpublishedOf } from './results.ts';
import { startStub } from './stub-over-tls.ts';

const usage = `Usage: npm run bench -- [options]

Compares the function with other ways to write it. A whole run writes bench/results.json, and the chart and
the table of docs/performance.md. It needs valgrind, which counts instructions.

  --quick           one round: figures to look at; publishes nothing
  --against COMMIT  compares with another commit of this function; publishes nothing
  --check           fails if a start takes over 3 % more instructions than published, a first request over 10 %, or a
                    warm request over 20 %; also if the published run has other variants, or the page other figures
  --help            show this text
`;

const now = new Date().toISOString();
const machine = `${cpus()[0]?.model.trim()}, ${availableParallelism()} cores, Node ${process.versions.node}`;
const page = join(projectRoot, 'docs', 'performance.md');
const namesOf = (variants: readonly Variant[]) =>
  Object.fromEntries(variants.map(({ id, name }) => [id, name]));
const progress = (text: string) => process.stderr.write(`${process.uptime().toFixed(0)} s  ${text}\n`);

/** `npm run bench`: builds, checks that all variants give the expected responses, measures, and reports. */
await runCommand(usage, async () => {
  const flag = { type: 'boolean', default: false } as const;
  const options = { quick: flag, check: flag, against: { type: 'string' } } as const;
  const { quick, check, against } = readArguments({ options }).values;
  if (!hasValgrind()) throw new UsageError('Install valgrind: it counts the instructions.');
  // What only the benchmark needs, apart from the default install.
  execFileSync('npm', ['ci', '--prefix', import.meta.dirname, '--silent'], { stdio: 'inherit' });
  const built = await buildVariants();
  for (const { file } of built)
    await withTables((tables) => measureRun(file, tables, { requests: checkedRequests }));
  progress(`${built.length} variants are built, and give the expected responses`);

  const compared = built.filter(({ id }) => /^(space-files|expert$)/.test(id));
  const others = against === undefined ? [] : buildCommit(against);
  const variants = check || against !== undefined ? [...compared, ...others] : built;
  const environment = await startStub();
  const figures = await countStarts(variants, environment, quick ? 1 : 10);
  progress('starts are counted');
  const warm = { rounds: quick || check ? 1 : 3, requests: quick ? 200 : 500 };
  Object.assign(figures, await countWarm(variants, environment, warm));
  progress('warm requests are counted');
  // Its library is installed only when the benchmark starts.
  const { formatTable, withResults } = await import('./tables.ts');
  const readPage = () => readFileSync(page, 'utf8');
  if (check) {
    const published = readResults();
    const problems = [
      ...regressionsOf(figures, published.figures),
      ...unpublishedOf(namesOf(built), published.variants),
      ...(withResults(readPage(), published) === readPage()
        ? []
        : ['docs/performance.md has other figures than bench/results.json.']),
    ];
    if (problems.length > 0) throw new UsageError(problems.join('\n'));
    progress('nothing takes more instructions than published');
    return;
  }
  Object.assign(figures, await measureRuns(variants, environment, quick ? 1 : 10));
  const results = {
    run: `Measured on ${now.slice(0, 10)} at ${now.slice(11, 16)} (UTC): ${machine}.`,
    variants: namesOf(variants),
    figures,
  };
  process.stdout.write(`\n${results.run}\n\n${formatTable(results)}\n`);
  if (quick || against !== undefined) return;
  writeFileSync(resultsFile, toJson(results));
  writeFileSync(page, withResults(readPage(), results));
});
