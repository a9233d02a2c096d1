import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import * as z from 'zod';

/** A built handler. The file exports `handler(event, context)`. */
export type Variant = Readonly<Record<'id' | 'name' | 'file', string>>;

/** The environment variables of a process that loads a variant. */
export type Environment = Readonly<Record<string, string>>;

/** An event as JSON, the status that it must get, and what the body of the response must have. */
type BenchRequest = Readonly<{ name: string; event: string; status: number; has?: object }>;
/** Requests that are sent in turn: `warmUp` (or none) before the `count` (or each once) that are measured. */
type Job = Readonly<{ requests: readonly BenchRequest[]; warmUp?: number; count?: number }>;

/** Microseconds of user time of the main thread per measured request, and the most memory. */
const RunSchema = z.object({ cpuUs: z.number(), peakMb: z.number() });

/** What comes before Node.js on the command line, and the options of Node.js. */
type Command = Readonly<Record<'prefix' | 'options', readonly string[]>>;

/** Does a job in a fresh process. Gives its error output. */
const runChild = async (
  { prefix, options }: Command,
  env: Environment,
  file: string | undefined,
  job: object,
) => {
  const script = join(import.meta.dirname, 'child.cjs');
  const [program = '', ...args] = [...prefix, process.execPath, ...options, script];
  // The log of a variant is discarded. A variant that hangs must not hang the run: the longest job takes minutes.
  const limits = { timeout: 600_000, killSignal: 'SIGKILL' } as const;
  const child = spawn(program, args, { stdio: ['pipe', 'ignore', 'pipe'], env, ...limits });
  child.stdin.end(JSON.stringify({ file, ...job }));
  const [output, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  if (code === 0) return output.trim();
  // Node.js quotes the line that threw, and a bundle is one long line.
  throw new Error(`${file} could not be measured: ${output.replace(/^(.{500}).*$/gm, '$1').trim()}`);
};

/**
 * Sends requests to a variant in a process that has only these environment variables.
 *
 * @throws {Error} with the error output of the process, for example a response that is not the expected one
 */
export const measureRun = async (file: string, env: Environment, job: Job) => {
  const output = await runChild({ prefix: [], options: [] }, env, file, job);
  return RunSchema.parse(JSON.parse(output.slice(output.lastIndexOf('\n') + 1)));
};

export const hasValgrind = (): boolean => spawnSync('valgrind', ['--version']).status === 0;
const valgrind = ['valgrind', '--tool=cachegrind', '--cache-sim=no', '--cachegrind-out-file=/dev/null'];

/** V8 seeds its hash tables by a seed from 1. Counts of one seed differ much less than those of two. */
export const seeded = (seed: number): readonly string[] => [`--random-seed=${seed}`];
/**
 * No garbage collection falls into a start: by chance, a first request would have one or not. V8's memory reducer would
 * collect 8 seconds after a process has started, and under valgrind a start takes longer. V8 accepts a code cache with
 * these options too.
 */
export const seededStart = (seed: number): readonly string[] => [
  ...seeded(seed),
  '--min-semi-space-size=32',
  '--no-memory-reducer',
];

/**
 * The millions of instructions of a process that does a job. Without a file, the process loads nothing.
 *
 * @param options of Node.js
 */
export const countInstructions = async (
  file: string | undefined,
  env: Environment,
  job: Job,
  options: readonly string[],
) => {
  const environment = { ...env, PATH: process.env['PATH'] ?? '' };
  // valgrind is about 50 times slower.
  const output = await runChild({ prefix: valgrind, options }, environment, file, { ...job, slowdown: 100 });
  const [, refs = ''] = /I +refs: +([\d,]+)/.exec(output) ?? [];
  return z.coerce.number().positive().parse(refs.replaceAll(',', '')) / 1_000_000;
};
