import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import * as z from 'zod';

/** A built handler, for example `hono` with the name `Hono`. The file exports `handler(event, context)`. */
export type Variant = { readonly id: string; readonly name: string; readonly file: string };

/** An event as JSON, and the response that it must get. Without `body` only the status is checked. */
export type BenchRequest = {
  readonly name: string;
  readonly event: string;
  readonly status: number;
  readonly body?: unknown;
};

export type Job = {
  /** The requests, taken in turn. */
  readonly requests: readonly BenchRequest[];
  /** How many requests are sent before the measured ones; 0 if absent. */
  readonly warmUp?: number;
  /** How many requests are measured; 1 if absent. */
  readonly count?: number;
  /** Runs when the variant is loaded, before its first request; not measured. */
  readonly beforeJob?: (pid: number) => unknown;
};

// Far above the longest job: a variant that hangs must not hang the run.
const timeout = 120_000;

const RunSchema = z.object({
  /** Milliseconds to load the handler, with what it awaits at its top level. */
  loadMs: z.number(),
  /** Milliseconds of each measured request. */
  wallMs: z.array(z.number()),
  /** Microseconds of user and system time per measured request. */
  cpuUs: z.number(),
  /** The most resident memory of the process. */
  peakMb: z.number(),
});
export type Run = z.infer<typeof RunSchema>;

/**
 * Sends requests to a variant in a fresh process, whose environment variables are `env` and nothing else.
 *
 * @throws {Error} with the error output of the process, for example a response that is not the expected one
 */
export const measureRun = async (
  { id, file }: Variant,
  env: Readonly<Record<string, string>>,
  { beforeJob, requests, warmUp = 0, count = 1 }: Job,
): Promise<Run> => {
  const child = fork(join(import.meta.dirname, 'child.cjs'), [file], {
    // The log of a variant is discarded.
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env,
    execArgv: [],
    timeout,
    killSignal: 'SIGKILL',
  });
  if (child.pid === undefined || child.stderr === null) throw new Error(`no process for ${id}`);
  const errorOutput = text(child.stderr);
  const exited = once(child, 'exit');
  const failed = exited.then(async () => {
    // Node.js quotes the line that threw, and a bundle is one line of half a megabyte.
    const output = (await errorOutput).replace(/^(.{500}).*$/gm, '$1').trim();
    throw new Error(`${id} could not be measured, its process ended: ${output}`);
  });
  try {
    await Promise.race([once(child, 'message'), failed]);
    await beforeJob?.(child.pid);
    child.send({ requests, warmUp, count });
    const [run] = await Promise.race([once(child, 'message'), failed]);
    return RunSchema.parse(run);
  } finally {
    child.kill('SIGKILL');
    await exited;
  }
};
