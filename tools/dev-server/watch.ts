import { watch } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '#tools/project.ts';

/** An editor writes a file in several steps, and a formatter writes it again. */
const quietMs = 100;

/** Calls back after each change of the function's source. Never two calls at once; the last one sees all changes. */
export const watchSources = (onChange: () => Promise<void>): void => {
  let done = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const schedule = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      done = done.then(onChange);
    }, quietMs);
  };
  for (const folder of ['handlers', 'lib']) watch(join(projectRoot, folder), { recursive: true }, schedule);
};
