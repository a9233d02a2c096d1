import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { UsageError } from '#tools/cli.ts';
import { listen } from './listen.ts';

/** The path of the embedded engine. Throws a UsageError if its package is not installed for the platform. */
export const engineBinary = (name = `@dynoxide/${process.platform}-${process.arch}`): string => {
  try {
    return join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), 'dynoxide');
  } catch (error) {
    const advice = `install ${name}, or set AWS_ENDPOINT_URL_DYNAMODB, for example to DynamoDB Local`;
    throw new UsageError(`The embedded DynamoDB engine is not installed: ${advice}.`, { cause: error });
  }
};

/** A port of 127.0.0.1 that was free a moment ago. */
export const freePort = async (): Promise<number> => {
  const server = createServer();
  const port = await listen(server);
  await once(server.close(), 'close');
  return port;
};

// The pipe on descriptor 3 closes when our process ends, even by SIGKILL, where no exit handler runs. A line in the
// pipe means that the child has ended already: then there is nothing to kill.
const endWithParent = '{ read -r _ || kill $$; } <&3 >/dev/null 2>&1 & exec "$@" 3<&-';

/**
 * Starts a program that ends when this process ends. Its stdout is discarded, its stderr is piped. `exited` settles when
 * it has ended, for any reason.
 */
export const spawnBound = (program: string, args: string[]) => {
  const child = spawn('/bin/sh', ['-c', endWithParent, 'sh', program, ...args], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    // Ctrl-C in the terminal must not end it before our process.
    detached: true,
  });
  const pipe = child.stdio[3];
  if (!(pipe instanceof Writable)) throw new Error('the child process has no pipe');
  pipe.on('error', () => undefined);
  const exited = once(child, 'exit').then(() => void pipe.end('\n'));
  const stop = async () => {
    child.kill();
    await exited;
  };
  return { child, exited, stop };
};

/**
 * Starts the embedded DynamoDB engine on a free port of 127.0.0.1 and waits until it listens.
 *
 * @param dbPath file that keeps the data; without it the data is in memory
 * @throws {UsageError} if the engine is not installed or does not start, with what it has printed
 */
export const startEngine = async ({ dbPath }: { dbPath?: string } = {}) => {
  const port = await freePort();
  const database = dbPath === undefined ? [] : ['--db-path', dbPath];
  const args = ['serve', '--host', '127.0.0.1', '--port', String(port), ...database];
  const { child, exited, stop } = spawnBound(engineBinary(), args);
  if (child.stderr === null) throw new Error('the engine has no stderr');
  let printed = '';
  for await (const line of createInterface({ input: child.stderr })) {
    if (line.includes('listening on')) {
      // If nobody reads on, the engine blocks once the pipe is full.
      child.stderr.resume();
      return { endpoint: `http://127.0.0.1:${port}`, exited, stop };
    }
    printed += line;
  }
  throw new UsageError(`The embedded DynamoDB engine did not start: ${printed}`);
};
