import { type Case, fileOf, type Group } from '../case.ts';
import { flatten } from '../flatten.ts';
import { type Client, createClient } from '../http/client.ts';
import type { World } from '../world.ts';
import { areUntouched, openFiles, putAllBack } from './all-files.ts';
import { createLawBook } from './law-book.ts';
import { lawsFor } from './laws.ts';
import { createMask, keysOf } from './mask.ts';
import { whyNot } from './needs.ts';
import { notRun, type Outcome, type Result, skipped } from './result.ts';
import type { Run } from './run.ts';
import { runCase } from './run-case.ts';

export type Suite = {
  readonly baseUrl: URL;
  readonly world: World;
  readonly groups: readonly Group[];
  /** Whether to tell of a law of this name. */
  readonly wants: (name: string) => boolean;
  readonly onResult: (result: Result) => void;
  /** Ends the run before the next case. */
  readonly signal: AbortSignal;
};

/** What came of a run besides its results. */
export type Ending = {
  readonly isComplete: boolean;
  /** Whether refusals were shown to leave the file alone: that needs an If-Match that works. */
  readonly canPeek: boolean;
  readonly filesUsed: number;
  /** Sentences about files that could not be put back. */
  readonly leftovers: readonly string[];
};

/** Runs the cases in order, one request at a time, and leaves the files as they were found. */
export const runSuite = async (suite: Suite): Promise<Ending> => {
  const client = createClient(suite.baseUrl);
  try {
    return await runWith(client, suite);
  } finally {
    client.close();
  }
};

const runWith = async (
  client: Client,
  { world, groups, wants, onResult, signal }: Suite,
): Promise<Ending> => {
  const mask = createMask(world);
  const laws = lawsFor(keysOf(world)).filter(({ name }) => wants(name));
  const lawBook = createLawBook(laws, mask);
  const run: Run = { client, world, values: flatten(world), mask, observe: lawBook.observe };
  const files = await openFiles(run, groups);
  const canPeek = await areUntouched(run, files);
  const stopped = () => {
    if (signal.aborted) return 'the run was stopped';
    return client.isGone() ? 'the service no longer answers' : undefined;
  };
  const outcomeOf = async (given: Case): Promise<Outcome> => {
    const file = files.find(({ name }) => name === fileOf(given));
    const end = stopped();
    if (end !== undefined) return notRun(end);
    const reason = whyNot(run, given);
    if (reason !== undefined || file === undefined) return skipped(reason ?? 'its file was not opened');
    return runCase(run, { given, file, canPeek });
  };
  for (const { title: group, cases } of groups) {
    for (const given of cases) {
      const startedAt = performance.now();
      const outcome = await outcomeOf(given);
      onResult({ group, name: given.name, ms: performance.now() - startedAt, outcome });
    }
  }
  for (const result of lawBook.results()) onResult(result);
  const isComplete = stopped() === undefined;
  return { isComplete, canPeek, filesUsed: files.length, leftovers: await putAllBack(run, files) };
};
