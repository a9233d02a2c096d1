import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import type { Config } from '#lib/runtime/deps.ts';
import { engineEnvironment } from '#tools/dev-server/environment.ts';
import { bundleFile } from '#tools/project.ts';

const ResponseSchema = z.object({
  statusCode: z.number(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
});
const ReplySchema = z.object({ id: z.number(), response: z.nullable(ResponseSchema) });
/** What the process answered. */
export type Response = z.infer<typeof ResponseSchema>;

/** A process of its own that runs the built bundle as Lambda does. */
export const startProcess = async ({ endpoint, config }: { endpoint: string; config: Config }) => {
  const child = fork(new URL('lambda-process.ts', import.meta.url), [bundleFile], {
    env: {
      ...engineEnvironment(endpoint),
      API_KEYS_TABLE: config.apiKeysTable,
      SPACES_TABLE: config.spacesTable,
      FILES_TABLE: config.filesTable,
    },
    execArgv: [],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const printed = { stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    printed.stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    printed.stderr += text;
  });
  const waiting = new Map<number, (response: Response | null) => void>();
  child.on('message', (message) => {
    const { id, response } = ReplySchema.parse(message);
    waiting.get(id)?.(response);
    waiting.delete(id);
  });
  child.on('exit', () => {
    for (const settle of waiting.values()) settle(null);
  });
  await new Promise((resolve) => waiting.set(0, resolve));

  let ids = 0;
  return {
    child,
    printed: (): Readonly<typeof printed> => printed,
    /** The lines printed so far, once there are that many; a pipe may be behind the answers. */
    lines: async (count: number): Promise<readonly string[]> => {
      const read = () => printed.stdout.split('\n').slice(0, -1);
      for (let wait = 0; wait < 100 && read().length < count; wait += 1) await sleep(20);
      return read();
    },
    /** Throws when the function threw, or its process ended. */
    send: async (event: unknown, remainingMs = 10_000): Promise<Response> => {
      const id = ++ids;
      const answered = new Promise<Response | null>((resolve) => waiting.set(id, resolve));
      child.send({ id, event, remainingMs });
      const response = await answered;
      if (response === null) throw new Error(`the function threw, or its process ended: ${printed.stderr}`);
      return response;
    },
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
};
export type Process = Awaited<ReturnType<typeof startProcess>>;
