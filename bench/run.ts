import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { runCommand, UsageError } from '../tools/cli.ts';
import { buildCommit, buildVariants } from './build.ts';
import { withTables } from './fixture.ts';
import { prepareMeasurements } from './measurements.ts';
import { checkResponses } from './requests.ts';
import { type Figures, readResults, regressionsOf, resultsFile, toJson } from './results.ts';

const usage = `Usage: npm run bench -- [options]

Compares the function with other ways to write it. A whole run takes up to 15 minutes. It writes
bench/results.json, and docs/performance.md from that file.

  --quick           one round: figures to look at; publishes nothing
  --against COMMIT  compares with another commit of this function; publishes nothing
  --check           fails if a cold start takes over 3 % more instructions than published (needs valgrind), or if
                    docs/performance.md is stale
  --help            show this text

Instructions are counted by valgrind (Linux). Without it, these figures are left out.
Keep the machine quiet during a run, because times are measured too.
`;

const progress = (text: string) => process.stderr.write(`${process.uptime().toFixed(0)} s  ${text}\n`);

/** `npm run bench`: builds, checks that all variants give the expected responses, measures, and reports. */
await runCommand(usage, async () => {
  const { quick, against, check } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      against: { type: 'string' },
      check: { type: 'boolean', default: false },
    },
  }).values;
  const isWhole = !quick && !check && against === undefined;
  // What the benchmark compares with and needs, apart from the default install.
  execFileSync('npm', ['ci', '--prefix', import.meta.dirname, '--silent'], { stdio: 'inherit' });
  const variants = await buildVariants();
  progress(`${variants.length} variants are built`);
  for (const variant of variants) await withTables((environment) => checkResponses(variant, environment));
  progress('all of them give the expected responses');

  const { pageFile, partsOf, renderPage } = await import('./page.ts');
  const ours = variants.filter(({ id }) => /^(space-files|plain)/.test(id));
  if (check) {
    const { countStart } = await prepareMeasurements(ours, false);
    const ids = ours.map(({ id }) => id);
    const regressions = regressionsOf(ids, await countStart(), readResults().figures);
    if (regressions.length > 0) throw new UsageError(regressions.join('\n'));
    progress('no cold start takes over 3 % more instructions than published');
  } else {
    const compared = against === undefined ? variants : [...ours, ...buildCommit(against)];
    const results = {
      at: new Date().toISOString(),
      machine: `${cpus()[0]?.model.trim()}, ${availableParallelism()} cores, Node ${process.versions.node}`,
      variants: Object.fromEntries(compared.map(({ id, name }) => [id, name])),
      figures: {} as Figures,
    };
    for (const measure of (await prepareMeasurements(compared, quick)).all) {
      const figures = await measure();
      Object.assign(results.figures, figures);
      progress(Object.keys(figures).join('; '));
    }
    const { run, figures } = partsOf(results);
    process.stdout.write(`\n${run}\n\n${figures}\n`);
    if (isWhole) writeFileSync(resultsFile, toJson(results));
  }
  if (!isWhole && !check) return;
  const page = readFileSync(pageFile, 'utf8');
  const rendered = renderPage(page, readResults());
  writeFileSync(pageFile, rendered);
  if (check && rendered !== page)
    throw new UsageError('docs/performance.md was stale. It is written again: commit it.');
});
