import { join } from 'node:path';
import { usesColour } from '../test/support/terminal.ts';
import { runCommand } from '../tools/cli.ts';
import { projectRoot } from '../tools/project.ts';
import { writeRendered } from './report/files.ts';
import { readResults } from './report/read.ts';
import { renderAll } from './report/render.ts';
import { renderTables } from './report/table.ts';
import { measureAll } from './run/measure-all.ts';
import { benchUsage, readBenchOptions } from './run/options.ts';

const resultsFolder = join(projectRoot, 'bench', 'results');

/** `npm run bench`: builds, checks that all answer alike, measures, and reports. */
await runCommand(async () => {
  const { quick, report, help, parts } = readBenchOptions(process.argv.slice(2));
  if (help) return void process.stdout.write(benchUsage);
  const folder = quick ? join(resultsFolder, 'quick') : resultsFolder;
  if (!report) await measureAll(folder, { quick, parts });
  const results = readResults(folder);
  if (!quick) writeRendered(projectRoot, renderAll(results));
  const { columns: width = 120 } = process.stdout;
  const colour = usesColour(process.stdout, process.env);
  process.stdout.write(renderTables(results, { width, colour }));
});
