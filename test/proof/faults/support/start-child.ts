import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Config } from '#lib/runtime/deps.ts';
import { settingsFor } from '#test/support/endpoint.ts';
import type { Task } from './child.ts';
import type { Operations } from './load.ts';

/** Starts a process of writers and gives it its task. `done` tells what came of it, and fails when it was killed. */
export const startChild = (endpoint: string, config: Config, task: Task) => {
  const child = fork(new URL('./child.ts', import.meta.url), {
    env: {
      ...process.env,
      ...settingsFor(endpoint),
      API_KEYS_TABLE: config.apiKeysTable,
      SPACES_TABLE: config.spacesTable,
      FILES_TABLE: config.filesTable,
    },
    execArgv: [],
    serialization: 'advanced',
  });
  child.send(task);
  const gone = once(child, 'exit');
  const done = new Promise<Operations>((resolve, reject) => {
    child.once('message', (operations: Operations) => resolve(operations));
    gone.then(() => reject(new Error('the process of writers is gone')));
  });
  // Whoever kills it does not ask what came of it.
  done.catch(() => undefined);
  return {
    done,
    kill: async () => {
      child.kill('SIGKILL');
      await gone;
    },
  };
};
