import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import * as z from 'zod';
import { type Environment, eventOf } from './fixture.ts';

/** A built handler. */
export type Variant = {
  /** `hono`, `space-files-primed`. */
  readonly id: string;
  /** For tables: `Hono`. */
  readonly name: string;
  /** Absolute path of a .cjs or .mjs file that exports `handler(event, context)`. */
  readonly file: string;
};

type RunOptions = {
  readonly environment: Environment;
  /** The requests, taken in turn; by default one that succeeds. */
  readonly events?: readonly object[] | undefined;
  /** Runs when the variant is loaded, before its first request; not measured. */
  readonly beforeJob?: (pid: number) => unknown;
  /** Requests before the measured ones. */
  readonly warmUp?: number;
  /** Measured requests. */
  readonly requests?: number;
  /** Requests in flight at any time. */
  readonly callers?: number;
};

// Far above the longest loop: a variant that hangs must not hang the run.
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

/** Measures requests in a fresh process of a variant; by default its first request. */
export const measureRun = async (variant: Variant, options: RunOptions): Promise<Run> =>
  RunSchema.parse(await inProcess(variant, { warmUp: 0, requests: 1, callers: 1, ...options }));

const ResponsesSchema = z.array(z.object({ status: z.number(), body: z.unknown() }));

/** The responses of a variant to the events, one after the other in a fresh process. */
export const responsesOf = async (variant: Variant, environment: Environment, events: readonly object[]) =>
  ResponsesSchema.parse(await inProcess(variant, { environment, events, respond: true }));

/** @throws {Error} with the error output of the process, if it ends without a result */
const inProcess = async (
  { id, file }: Variant,
  { environment, events = [eventOf({})], beforeJob, ...job }: RunOptions & { respond?: true },
): Promise<unknown> => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'child.cjs'), file], {
    // The log of a variant is discarded.
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    env: environment,
    timeout,
    killSignal: 'SIGKILL',
  });
  const exited = once(child, 'exit');
  const channel = child.stdio[3];
  if (child.pid === undefined || child.stderr === null || !(channel instanceof Duplex))
    throw new Error(`no process for ${id}`);
  const errorOutput = text(child.stderr);
  // A process that has ended shows as a missing report.
  channel.on('error', () => undefined);
  const lines = createInterface({ input: channel })[Symbol.asyncIterator]();
  const nextReport = async (): Promise<unknown> => {
    const { value, done } = await lines.next();
    if (!done) return JSON.parse(value);
    // Node.js quotes the line that threw, and a bundle is one line of half a megabyte.
    const output = (await errorOutput).replace(/^(.{300}).*$/gm, '$1').trim();
    throw new Error(`${id} could not be measured, its process ended: ${output}`);
  };
  try {
    await nextReport();
    await beforeJob?.(child.pid);
    channel.write(`${JSON.stringify({ ...job, events: events.map((event) => JSON.stringify(event)) })}\n`);
    return await nextReport();
  } finally {
    child.kill('SIGKILL');
    await exited;
  }
};
