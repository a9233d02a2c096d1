import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Readable, Writable } from 'node:stream';
import { UsageError } from '#tools/cli.ts';

/** A child process that ends with this process. `exited` settles when it has ended, for any reason. */
export type BoundProcess = { child: ChildProcess; exited: Promise<void>; stop: () => Promise<void> };

/** A running DynamoDB engine. */
export type Engine = Omit<BoundProcess, 'child'> & { endpoint: string };

const startTimeoutMs = 10_000;

/** The path of the embedded engine. Throws a UsageError if its package is not installed for the platform. */
export const engineBinary = (platform: string = process.platform, arch: string = process.arch): string => {
  const packageName = `@dynoxide/${platform}-${arch}`;
  try {
    const manifest = createRequire(import.meta.url).resolve(`${packageName}/package.json`);
    return join(dirname(manifest), platform === 'win32' ? 'dynoxide.exe' : 'dynoxide');
  } catch (error) {
    const message = `The embedded DynamoDB engine is not installed for ${platform}-${arch}`;
    const advice = `install ${packageName}, or set AWS_ENDPOINT_URL_DYNAMODB, for example to DynamoDB Local`;
    throw new UsageError(`${message}: ${advice}.`, { cause: error });
  }
};

/** A port of 127.0.0.1 that was free a moment ago. */
export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  server.close();
  await once(server, 'close');
  return address.port;
};

// The pipe on descriptor 3 closes when our process ends, even by SIGKILL, where no exit handler runs. A line in the
// pipe means that the child has ended already: then there is nothing to kill.
const endWithParent = '{ read -r _ || kill $$; } <&3 >/dev/null 2>&1 & exec "$@" 3<&-';

/** Starts a program that ends when this process ends. Its stdout is discarded, its stderr is piped. */
export const spawnBound = (program: string, args: string[]): BoundProcess => {
  const onWindows = process.platform === 'win32';
  const command = onWindows ? [program, ...args] : ['/bin/sh', '-c', endWithParent, 'sh', program, ...args];
  const child = spawn(command[0] ?? '', command.slice(1), {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    // Ctrl-C in the terminal must not reach it: we stop it ourselves, after the last request.
    detached: !onWindows,
    windowsHide: true,
  });
  const kill = () => void child.kill();
  // Enough for Windows, where there is no shell to watch the pipe.
  process.once('exit', kill);
  const pipe = child.stdio[3];
  if (!(pipe instanceof Writable)) throw new Error('the child process has no pipe');
  pipe.on('error', () => undefined);
  // A program that cannot be started emits `error` instead of `exit`.
  const ended = once(child, 'exit').catch(() => undefined);
  const exited = ended.then(() => {
    process.off('exit', kill);
    pipe.end('\n');
  });
  const stop = async () => {
    kill();
    await exited;
  };
  return { child, exited, stop };
};

/** Undefined once the engine listens; otherwise its last message. */
const startProblem = async (stderr: Readable): Promise<string | undefined> => {
  let problem = `it was not ready within ${startTimeoutMs / 1000} s`;
  const lines = createInterface({ input: stderr, signal: AbortSignal.timeout(startTimeoutMs) });
  for await (const line of lines) {
    if (line.includes('listening on')) {
      // If nobody reads on, the engine blocks once the pipe is full.
      stderr.resume();
      return undefined;
    }
    if (line.trim() !== '') problem = line.replace(/^error: /, '').trim();
  }
  return problem;
};

/**
 * Starts the embedded DynamoDB engine on a free port of 127.0.0.1 and waits until it listens.
 *
 * @param dbPath file that keeps the data; without it the data is in memory
 * @throws {UsageError} if the engine is not installed or does not start
 */
export const startEngine = async ({ dbPath }: { dbPath?: string } = {}, attempts = 5): Promise<Engine> => {
  const port = await freePort();
  const database = dbPath === undefined ? [] : ['--db-path', dbPath];
  const args = ['serve', '--host', '127.0.0.1', '--port', String(port), ...database];
  const { child, exited, stop } = spawnBound(engineBinary(), args);
  if (child.stderr === null) throw new Error('the engine has no stderr');
  const problem = await startProblem(child.stderr);
  if (problem === undefined) return { endpoint: `http://127.0.0.1:${port}`, exited, stop };
  await stop();
  // Another process may have taken the port since.
  if (problem.includes('in use') && attempts > 1) {
    return startEngine(dbPath === undefined ? {} : { dbPath }, attempts - 1);
  }
  const where = dbPath === undefined ? '' : ` with the database file ${dbPath}`;
  throw new UsageError(`The embedded DynamoDB engine did not start${where}: ${problem.replace(/\.$/, '')}.`);
};
