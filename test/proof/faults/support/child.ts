import { readConfig } from '#lib/runtime/deps.ts';
import { apiKeys } from './api-keys.ts';
import { openInstance } from './instances.ts';
import { type FileId, type Load, runLoad } from './load.ts';
import { openWriter } from './writer.ts';

/** What a process of writers is to do. */
export type Task = { readonly files: readonly FileId[]; readonly writers: number; readonly load: Load };

/*
 * A process of its own with writers, as Lambda instances are: told its tables by the environment and its task by a
 * message, it does the task and tells what came of it.
 */
process.on('message', async ({ files, writers: count, load }: Task) => {
  const config = readConfig(process.env);
  const writers = Array.from({ length: count }, (_, n) =>
    openWriter({
      instance: openInstance(config, { seed: load.seed + n }),
      apiKey: apiKeys[n % apiKeys.length],
    }),
  );
  const operations = await runLoad(files, writers, load);
  process.send?.(operations, () => process.disconnect());
});
