import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { runCommand, UsageError } from '../tools/cli.ts';
import { buildCommit, buildVariants } from './build.ts';
import { withTables } from './fixture.ts';
import { prepareMeasurements } from './measurements.ts';
import { hasValgrind, measureRun } from './process.ts';
import { checkedRequests } from './requests.ts';
import { type Figures, readResults, regressionsOf, resultsFile, toJson } from './results.ts';

const usage = `Usage: npm run bench -- [options]

Compares the function with other ways to write it. A whole run takes about half an hour on a quiet machine. It writes
bench/results.json and prints the tables of docs/performance.md. valgrind counts instructions, if it is installed.

  --quick           one round: figures to look at; publishes nothing
  --against COMMIT  compares with another commit of this function; publishes nothing
  --check           fails if a cold start takes over 3 % more instructions than published (needs valgrind)
  --help            show this text
`;

const now = new Date().toISOString();
const machine = `${cpus()[0]?.model.trim()}, ${availableParallelism()} cores, Node ${process.versions.node}`;
const withoutCounts = ' Instructions were not counted: valgrind was not installed.';
const progress = (text: string) => process.stderr.write(`${process.uptime().toFixed(0)} s  ${text}\n`);

/** `npm run bench`: builds, checks that all variants give the expected responses, measures, and reports. */
await runCommand(usage, async () => {
  const flag = { type: 'boolean', default: false } as const;
  const options = { quick: flag, check: flag, against: { type: 'string' } } as const;
  const { quick, check, against } = parseArgs({ options }).values;
  // What the benchmark compares with and needs, apart from the default install.
  execFileSync('npm', ['ci', '--prefix', import.meta.dirname, '--silent'], { stdio: 'inherit' });
  const variants = await buildVariants();
  for (const variant of variants)
    await withTables((tables) => measureRun(variant.file, tables, { requests: checkedRequests }));
  progress(`${variants.length} variants are built, and give the expected responses`);

  const ours = variants.filter(({ id }) => /^(space-files|plain)/.test(id));
  if (check) {
    if (!hasValgrind()) throw new UsageError('--check needs valgrind.');
    const { countStart } = await prepareMeasurements(ours, 'check');
    const { figures } = readResults();
    // Mostly, three counts show that nothing has changed. Whether a start is slower takes more.
    const isUnchanged = regressionsOf(await countStart(3), figures, 0.02).length === 0;
    const regressions = isUnchanged ? [] : regressionsOf(await countStart(), figures);
    if (regressions.length > 0) throw new UsageError(regressions.join('\n'));
    progress('no cold start takes over 3 % more instructions than published');
    return;
  }
  const compared = against === undefined ? variants : [...ours, ...buildCommit(against)];
  const { all } = await prepareMeasurements(compared, quick ? 'quick run' : 'whole run');
  const measured: Figures = {};
  for (const measure of all) {
    const figures = await measure();
    Object.assign(measured, figures);
    progress(Object.keys(figures).join('; '));
  }
  const results = {
    run: `Measured on ${now.slice(0, 10)} at ${now.slice(11, 16)} (UTC): ${machine}.${hasValgrind() ? '' : withoutCounts}`,
    variants: Object.fromEntries(compared.map(({ id, name }) => [id, name])),
    figures: measured,
  };
  // Its library is installed only when the benchmark starts.
  const { formatResults } = await import('./tables.ts');
  process.stdout.write(`\n${formatResults(results)}\n`);
  if (!quick && against === undefined) writeFileSync(resultsFile, toJson(results));
});
