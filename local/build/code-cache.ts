import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cacheFileOf } from '#lib/runtime/load-bundle.ts';
import { Complaint } from '#local/complaint.ts';

/**
 * Lets a process of its own load a bundle and answer a request with it, and stores what V8 compiled meanwhile beside
 * the bundle. It fits this very Node, so that of a deployment is made in Lambda's own image.
 *
 * @returns the file
 */
export const makeCodeCache = async (file: string, hash: string): Promise<string> => {
  const cacheFile = cacheFileOf(file, hash);
  const child = fork(new URL('cache-process.ts', import.meta.url), [file, cacheFile], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Complaint('The code cache could not be made.');
  return cacheFile;
};
