import { usesColour } from '#test/support/terminal.ts';
import { readBaseUrl } from '../conformance/base-url.ts';
import { createClient } from '../conformance/http/client.ts';
import { isFine, summaryText } from '../conformance/output/summary.ts';
import type { Result } from '../conformance/runner/result.ts';
import { runSuite } from '../conformance/runner/run-suite.ts';
import { groups } from './cases.ts';
import { burst } from './checks/burst.ts';
import type { Check } from './checks/check.ts';
import { decodingChecks } from './checks/decoding.ts';
import { notFoundChecks } from './checks/not-found.ts';
import { requestId } from './checks/request-id.ts';
import { tls } from './checks/tls.ts';
import { tooLarge } from './checks/too-large.ts';
import { expectOption, readBurst, readId, readKey, readOptions } from './options.ts';
import { probe } from './probe.ts';
import { inOptionNames, lineOf } from './report.ts';
import { type Target, toWorld } from './target.ts';
import { usage } from './usage.ts';

/** Runs the command with its arguments; sets the exit code. Throws a UsageError where it cannot begin. */
export const runSmoke = async (args: string[]): Promise<void> => {
  const { help, url, ...options } = readOptions(args);
  if (help) return void process.stdout.write(usage);
  const baseUrl = readBaseUrl(expectOption('url', url));
  const count = readBurst(options.burst);
  const ids = {
    tenant: readId('tenant', options.tenant),
    user: readId('user', options.user),
    space: readId('space', options.space),
    file: readId('file', options.file),
    documentKind: options['document-kind'] ?? null,
  };
  const world = toWorld(ids, await readKey(options['api-key']));
  const client = createClient(baseUrl);
  try {
    await runChecks({ baseUrl, world, client }, count);
  } finally {
    client.close();
  }
};

const runChecks = async (target: Target, count: number): Promise<void> => {
  const colour = usesColour(process.stdout, process.env);
  const startedAt = performance.now();
  const first = await probe(target);
  const results: Result[] = [];
  const onResult = (result: Result & { note?: string }) => {
    results.push(result);
    process.stdout.write(lineOf(result, colour));
  };
  const run = async ({ name, run: outcomeOf }: Check) =>
    onResult({ group: 'API Gateway', name, ms: 0, ...(await outcomeOf(target, first)) });
  for (const check of [tls, requestId, ...notFoundChecks, ...decodingChecks, tooLarge]) await run(check);

  const signal = abortOnCtrlC();
  const ending = await runSuite({ ...target, groups, wants: () => true, onResult, signal });
  // Last, for it takes the capacity of the others.
  await run(burst(signal.aborted ? 0 : count));
  const told = { ...ending, leftovers: ending.leftovers.map(inOptionNames) };
  const seconds = (performance.now() - startedAt) / 1000;
  process.stdout.write(summaryText({ results, ending: told, seconds, colour }));
  if (!isFine(results, ending)) process.exitCode = 1;
};

/** Ctrl-C ends the run in good order, so that the file is put back. npm sends it a second time. */
const abortOnCtrlC = (): AbortSignal => {
  const controller = new AbortController();
  process.on('SIGINT', () => controller.abort());
  return controller.signal;
};
