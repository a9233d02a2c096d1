import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import type * as z from 'zod';
import type { Variant } from '../types.ts';

export type ChildOptions = {
  readonly script: 'cold.cjs' | 'warm.cjs';
  readonly variant: Variant;
  readonly environment: Readonly<Record<string, string>>;
  /** Loads child/stub/ before anything else. */
  readonly stubbed?: boolean;
};

/** A process that has loaded a variant and waits for a job. */
export type Child = {
  readonly pid: number;
  /** The next report, once it comes. */
  readonly report: <Schema extends z.ZodType>(schema: Schema) => Promise<z.output<Schema>>;
  readonly send: (job: object) => void;
};

// Far above the longest loop: a variant that hangs must not hang the run.
const timeout = 120_000;

/**
 * Starts a fresh process for a variant, uses it and sees to its end.
 *
 * @throws {Error} with what the process wrote to stderr, when it ends without the report that was waited for
 */
export const withChild = async <Result>(
  options: ChildOptions,
  use: (child: Child) => Promise<Result>,
): Promise<Result> => {
  const child = spawnChild(options);
  const exited: Promise<unknown[]> = once(child, 'exit');
  try {
    return await use(connect(child, { variant: options.variant, exited }));
  } finally {
    child.kill('SIGKILL');
    await exited;
  }
};

const spawnChild = ({ script, variant, environment, stubbed = false }: ChildOptions): ChildProcess => {
  const folder = join(import.meta.dirname, 'child');
  const preload = stubbed ? ['--require', join(folder, 'stub', 'stub.cjs')] : [];
  return spawn(process.execPath, [...preload, join(folder, script), variant.file], {
    // What a variant logs goes nowhere; reports come on descriptor 3.
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    env: environment,
    timeout,
    killSignal: 'SIGKILL',
  });
};

const connect = (
  { pid, stderr, stdio }: ChildProcess,
  { variant, exited }: { variant: Variant; exited: Promise<unknown[]> },
): Child => {
  const channel = stdio[3];
  if (pid === undefined || stderr === null || !(channel instanceof Duplex))
    throw new Error(`no process for ${variant.id}`);
  // A process that is gone shows as a report that does not come.
  channel.on('error', () => undefined);
  const complaints = text(stderr);
  const lines = createInterface({ input: channel })[Symbol.asyncIterator]();
  return {
    pid,
    report: async (schema) => {
      const { value, done } = await lines.next();
      if (done) {
        const said = readable(await complaints);
        const [code, signal] = await exited;
        throw new Error(
          `${variant.id} could not be measured, its process ended with ${signal ?? code}: ${said}`,
        );
      }
      return schema.parse(JSON.parse(value));
    },
    send: (job) => channel.write(`${JSON.stringify(job)}\n`),
  };
};

/** Node.js quotes the line that threw, and a bundle is one line of half a megabyte. */
const readable = (complaints: string): string =>
  complaints
    .trim()
    .split('\n')
    .map((line) => line.slice(0, 300))
    .join('\n') || 'it said nothing';
