import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { usesColour } from '#test/support/terminal.ts';
import { reasonOf, UsageError } from '#tools/cli.ts';
import { readBaseUrl } from './base-url.ts';
import { chooseGroups, listText } from './choose.ts';
import { readOptions } from './options.ts';
import { toJunit } from './output/junit.ts';
import { createReporter } from './output/reporter.ts';
import { isFine, summaryText } from './output/summary.ts';
import { readWorld } from './read-world.ts';
import { lawNames } from './runner/law-book.ts';
import type { Result } from './runner/result.ts';
import { runSuite } from './runner/run-suite.ts';
import { usage } from './usage.ts';

/** Runs the command with its arguments; sets the exit code. Throws a UsageError where it cannot begin. */
export const runConformance = async (args: string[]): Promise<void> => {
  const options = readOptions(args);
  if (options.help) return void process.stdout.write(usage);
  const wants = (name: string) => name.includes(options.only);
  const groups = chooseGroups(wants);
  if (options.list) return void process.stdout.write(listText(groups, lawNames.filter(wants)));
  const baseUrl = readBaseUrl(options.url);
  const world = await readWorld(options.world ?? join(import.meta.dirname, 'demo-world.json'));

  const signal = abortOnCtrlC();
  const style = { colour: usesColour(process.stdout, process.env), live: isLive() };
  const reporter = createReporter({ baseUrl, groups }, style);
  const results: Result[] = [];
  const startedAt = performance.now();
  const onResult = (result: Result) => {
    results.push(result);
    reporter.onResult(result);
  };
  const ending = await runSuite({ baseUrl, world, groups, wants, onResult, signal });
  reporter.close();
  const seconds = (performance.now() - startedAt) / 1000;
  process.stdout.write(summaryText({ results, ending, seconds, colour: style.colour }));
  if (options.junit !== undefined) await writeJunit(options.junit, toJunit(results, seconds));
  if (!isFine(results, ending)) process.exitCode = 1;
};

const writeJunit = async (file: string, xml: string): Promise<void> => {
  await writeFile(file, xml).catch((error: unknown) => {
    throw new UsageError(`${file} cannot be written: ${reasonOf(error)}.`, { cause: error });
  });
};

/** A line that is rewritten is for people who watch. */
const isLive = () => process.stdout.isTTY === true && !process.env['CI'];

/** Ctrl-C ends the run in good order, so that the files are put back. npm sends it a second time. */
const abortOnCtrlC = (): AbortSignal => {
  const controller = new AbortController();
  process.on('SIGINT', () => controller.abort());
  return controller.signal;
};
