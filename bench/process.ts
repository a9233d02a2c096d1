import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import * as z from 'zod';

/** A built handler, for example `hono` with the name `Hono`. The file exports `handler(event, context)`. */
export type Variant = Readonly<Record<'id' | 'name' | 'file' | 'bundle', string>>;

/** The environment variables of a process that loads a variant. */
export type Environment = Readonly<Record<string, string>>;

export type Job = {
  /** Events as JSON, taken in turn, and the response that each must get; without `body` only the status is checked. */
  readonly requests: readonly { name: string; event: string; status: number; body?: unknown }[];
  /** How many requests are sent before the measured ones; 0 if absent. */
  readonly warmUp?: number;
  /** How many requests are measured; 1 if absent. */
  readonly count?: number;
};

/** Of each measured request the milliseconds, per request the user time of the main thread, and the most memory. */
const RunSchema = z.object({ wallMs: z.array(z.number()), cpuUs: z.number(), peakMb: z.number() });

/** Does a job in a fresh process. Gives the result and the error output as text. */
const runChild = async ([command = '', ...args]: readonly string[], env: Environment, job: object) => {
  const child = spawn(command, [...args, join(import.meta.dirname, 'child.cjs')], {
    // The log of a variant is discarded.
    stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
    env,
    // Far above the longest job: a variant that hangs must not hang the run.
    timeout: 600_000,
    killSignal: 'SIGKILL',
  });
  const [stdin, , stderr, output] = child.stdio;
  if (!stdin || !stderr || !(output instanceof Readable)) throw new Error(`${command} did not start`);
  stdin.end(JSON.stringify(job));
  const [errors, result, [code]] = await Promise.all([text(stderr), text(output), once(child, 'exit')]);
  // Node.js quotes the line that threw, and a bundle is one line of half a megabyte.
  if (code !== 0) throw new Error(`a process ended: ${errors.replace(/^(.{500}).*$/gm, '$1').trim()}`);
  return { errors, result };
};

/**
 * Sends requests to a variant in a process that has only these environment variables.
 *
 * @throws {Error} with the error output of the process, for example a response that is not the expected one
 */
export const measureRun = async ({ id, file }: Pick<Variant, 'id' | 'file'>, env: Environment, job: Job) => {
  const { result } = await runChild([process.execPath], env, { ...job, file }).catch((cause) => {
    throw new Error(`${id} could not be measured`, { cause });
  });
  return RunSchema.parse(JSON.parse(result));
};

export const hasValgrind = (): boolean => spawnSync('valgrind', ['--version']).status === 0;
const valgrind = ['valgrind', '--tool=cachegrind', '--cache-sim=no', '--cachegrind-out-file=/dev/null'];

/** The millions of instructions of a process that does a job. Without a file, the process loads nothing. */
export const countInstructions = async (file: string | undefined, env: Environment, job: Job) => {
  const environment = { ...env, PATH: process.env['PATH'] ?? '' };
  // valgrind is about 50 times slower.
  const slowJob = { ...job, file, slowdown: 100 };
  const { errors } = await runChild([...valgrind, process.execPath], environment, slowJob);
  const [, refs = ''] = /I +refs: +([\d,]+)/.exec(errors) ?? [];
  if (refs === '') throw new Error(`valgrind printed no count: ${errors}`);
  return Number(refs.replaceAll(',', '')) / 1_000_000;
};
