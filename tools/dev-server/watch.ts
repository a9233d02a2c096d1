import { globSync, watch } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '#tools/project.ts';

/** An editor writes a file in several steps, and a formatter writes it again. */
const quietMs = 100;

/** Each folder by itself: Node's recursive watch loses a file once another is renamed over it. */
const watchFolders = (onEvent: () => void): (() => void) => {
  const folders = globSync('{handlers,lib}/**/', { cwd: projectRoot });
  const watchers = folders.map((folder) => watch(join(projectRoot, folder), onEvent));
  return () => {
    for (const watcher of watchers) watcher.close();
  };
};

/** Calls back after each change of the function's source. Never two calls at once; the last one sees all changes. */
export const watchSources = (onChange: () => Promise<void>): void => {
  let done = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const schedule = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      // There may be new folders. The call sees what has changed in them before.
      unwatch();
      unwatch = watchFolders(schedule);
      done = done.then(onChange);
    }, quietMs);
  };
  let unwatch = watchFolders(schedule);
};
