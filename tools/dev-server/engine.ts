import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { hasCode, reasonOf, UsageError } from '#tools/cli.ts';
import { listen } from '#tools/listen.ts';
import packageJson from '../../package.json' with { type: 'json' };

/** The first file with this name in a folder of PATH. */
export const findOnPath = (name: string): string | undefined =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((file) => existsSync(file));

/** How to run the embedded engine: the installed package, else a `dynoxide` on the PATH, else npx. `note` says which. */
export const findEngine = (): { command: [program: string, ...args: string[]]; note?: string } => {
  const name = `@dynoxide/${process.platform}-${process.arch}`;
  try {
    const installed = createRequire(import.meta.url).resolve(`${name}/package.json`);
    return { command: [join(dirname(installed), 'dynoxide')] };
  } catch {
    const onPath = findOnPath('dynoxide');
    if (onPath !== undefined)
      return { command: [onPath], note: `${name} is not installed: using ${onPath}.` };
    const npx = `dynoxide@${packageJson.optionalDependencies['@dynoxide/linux-x64']}`;
    const note = `${name} is not installed: running \`npx --yes ${npx}\`, which downloads it once.`;
    return { command: ['npx', '--yes', npx], note };
  }
};

const randomLoopback = () => [127, ...[1, 2, 3].map(() => randomInt(1, 255))].join('.');

/**
 * An address of this machine, and a port that was free there a moment ago. The engine lets any web page read and write,
 * so it listens on one of 16 million loopback addresses, which no page can guess. macOS has 127.0.0.1 only.
 */
export const freeAddress = async (host = randomLoopback()): Promise<{ host: string; port: string }> => {
  const server = createServer();
  try {
    const port = await listen(server, 0, host);
    await once(server.close(), 'close');
    return { host, port: String(port) };
  } catch (error) {
    if (!hasCode(error, 'EADDRNOTAVAIL')) throw error;
    return freeAddress('127.0.0.1');
  }
};

// The pipe on descriptor 3 closes when our process ends, even by SIGKILL, where no exit handler runs. A line in the
// pipe means that the child has ended already: then there is nothing to kill. npx has children: the whole group ends.
const endWithParent = '{ read -r _ || kill -s TERM -- -$$; } <&3 >/dev/null 2>&1 & exec "$@" 3<&-';

/**
 * Starts a program that ends when this process ends, with what it has started itself. `exited` settles when it has
 * ended, for any reason.
 */
export const spawnBound = (
  program: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
) => {
  const child = spawn('/bin/sh', ['-c', endWithParent, 'sh', program, ...args], {
    ...options,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    // A process group of its own. Ctrl-C in the terminal must not end it before our process.
    detached: true,
  });
  const [, , , pipe] = child.stdio;
  if (!(pipe instanceof Writable)) throw new Error('the child process has no pipe');
  pipe.on('error', () => undefined);
  const exited = once(child, 'exit').then(() => void pipe.end('\n'));
  const stop = async () => {
    pipe.end();
    await exited;
  };
  return { child, exited, stop };
};

const report = (line: string) => void process.stderr.write(`${line}\n`);

/**
 * Starts the embedded DynamoDB engine and waits until it listens. Prints a line to stderr if it is not the installed
 * package, or any web page could find it.
 *
 * @param dbPath file that keeps the data; without it the data is in memory
 * @throws {UsageError} if the engine does not start, with what it has printed
 */
export const startEngine = async (dbPath?: string) => {
  const { command, note } = findEngine();
  if (note !== undefined) report(note);
  const { host, port } = await freeAddress();
  if (host === '127.0.0.1')
    report('Web pages that you open can reach the DynamoDB engine: it has no other address.');
  const [program, ...args] = command;
  const database = dbPath === undefined ? [] : ['--db-path', dbPath];
  const options = ['serve', '--host', host, '--port', port, ...database];
  const { child, exited, stop } = spawnBound(program, [...args, ...options]);
  // If nobody reads, the engine blocks once a pipe is full.
  child.stdout.resume();
  let printed = '';
  for await (const line of createInterface({ input: child.stderr })) {
    if (line.includes('listening on')) {
      child.stderr.resume();
      return { endpoint: `http://${host}:${port}`, exited, stop };
    }
    printed += `${line} `;
  }
  const advice = 'Install dynoxide, or set AWS_ENDPOINT_URL_DYNAMODB, for example to DynamoDB Local.';
  throw new UsageError(
    `The embedded DynamoDB engine did not start: ${reasonOf(printed)}${note === undefined ? '' : advice}`,
  );
};
