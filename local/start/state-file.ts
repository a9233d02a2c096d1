import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { localFolder } from '#local/project.ts';

// Tests keep theirs apart from that of a developer's own `npm start`.
const stateFolder = process.env['SPACE_FILES_STATE_DIR'] ?? localFolder;
const stateFile = join(stateFolder, 'engine.json');

const RunningSchema = z.object({
  endpoint: z.string(),
  tables: z.object({ API_KEYS_TABLE: z.string(), SPACES_TABLE: z.string(), FILES_TABLE: z.string() }),
  pid: z.number(),
  port: z.number(),
});

/** What the other commands need to know of a running `npm start`. */
export type Running = z.infer<typeof RunningSchema>;

/** Tells the other commands where the engine is. The latest `npm start` wins. */
export const writeState = (running: Running): void => {
  mkdirSync(stateFolder, { recursive: true });
  writeFileSync(stateFile, `${JSON.stringify(running, null, 2)}\n`);
};

/** Removes the state that this process wrote, and no one else's. */
export const removeState = (): void => {
  if (parseState()?.pid === process.pid) rmSync(stateFile, { force: true });
};

/** The `npm start` that runs now, or undefined. A file that was left behind counts for nothing. */
export const readState = (): Running | undefined => {
  const running = parseState();
  return running !== undefined && isAlive(running.pid) ? running : undefined;
};

const parseState = (): Running | undefined => {
  try {
    return RunningSchema.parse(JSON.parse(readFileSync(stateFile, 'utf8')));
  } catch {
    return undefined;
  }
};

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
