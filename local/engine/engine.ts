import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Complaint } from '#local/complaint.ts';
import { engineBinary } from './engine-binary.ts';
import { type BoundProcess, spawnBound } from './engine-process.ts';
import { freePort } from './free-port.ts';

/** A running DynamoDB engine. `exited` settles when it is gone, by `stop` or by itself. */
export type Engine = { endpoint: string; exited: Promise<void>; stop: () => Promise<void> };

const startTimeoutMs = 10_000;
const portAttempts = 5;

/**
 * Starts the embedded DynamoDB engine on a free port of 127.0.0.1 and waits until it listens. Keeps its data in
 * the file `dbPath`, or in memory without one. Throws a Complaint when it is not installed or does not start.
 */
export const startEngine = async ({ dbPath }: { dbPath?: string } = {}): Promise<Engine> => {
  const binary = engineBinary();
  const database = dbPath === undefined ? [] : ['--db-path', dbPath];
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    const engine = spawnBound(binary, ['serve', '--host', '127.0.0.1', '--port', String(port), ...database]);
    const problem = await problemAtStart(engine);
    if (problem === undefined) {
      return { endpoint: `http://127.0.0.1:${port}`, exited: engine.exited, stop: engine.stop };
    }
    await engine.stop();
    // Somebody else was given the port between our asking and the engine's.
    if (problem.includes('in use') && attempt < portAttempts) continue;
    const where = dbPath === undefined ? '' : ` with the database file ${dbPath}`;
    throw new Complaint(`The embedded DynamoDB engine did not start${where}: ${firstSentence(problem)}.`);
  }
};

/** Undefined once the engine listens; otherwise what it said last, or that it said nothing in time. */
const problemAtStart = async ({ child, exited }: BoundProcess): Promise<string | undefined> => {
  if (child.stderr === null) throw new Error('the engine has no stderr');
  const lines = createInterface({ input: child.stderr });
  let lastLine = 'it ended without a word';
  const listening = new Promise<undefined>((resolve) => {
    // Read to the end of its life: an engine whose pipe is full stands still.
    lines.on('line', (line) => {
      if (line.includes('listening on')) resolve(undefined);
      else if (line.trim() !== '') lastLine = line.replace(/^error: /, '').trim();
    });
  });
  const ended = Promise.all([exited, once(lines, 'close')]).then(() => lastLine);
  const late = new Promise<string>((resolve) => {
    const message = `it did not listen within ${startTimeoutMs / 1000} s`;
    const timer = setTimeout(() => resolve(message), startTimeoutMs);
    Promise.race([listening, ended]).then(() => clearTimeout(timer));
  });
  return Promise.race([listening, ended, late]);
};

const firstSentence = (text: string): string => {
  return text.replace(/\.(\s.*)?$/, '');
};
