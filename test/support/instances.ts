import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Context } from 'aws-lambda';
import { afterAll, beforeAll, vi } from 'vitest';
import type { ApiResponse } from '#lib/http/responses.ts';
import { buildBundle } from '#tools/build/bundle.ts';
import { settingsFor } from './endpoint.ts';
import { temporaryFolder } from './processes.ts';
import type { Tables } from './tables.ts';

type Instance = { readonly handler: (event: unknown, context: Context) => Promise<ApiResponse> };

/** Sets the environment variables of the function, until the tests of the file end. */
export const stubSettings = (endpoint: string, { names }: Tables) => {
  for (const [name, value] of Object.entries({ ...settingsFor(endpoint), ...names })) vi.stubEnv(name, value);
};

/** Loads the function once more, as another Lambda instance would: from the source, and the file that is deployed. */
export const instanceLoaders = () => {
  const folder = temporaryFolder();
  const file = join(folder.path, 'update-file.cjs');
  const require = createRequire(import.meta.url);
  beforeAll(() => buildBundle({ file }));
  afterAll(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
    folder.remove();
  });

  const loadSource = async (): Promise<Instance> => {
    vi.resetModules();
    const { handler } = await import('#handlers/update-file.ts');
    return { handler: (...call) => Reflect.apply(handler, undefined, call) };
  };
  const loadBundle = async (): Promise<Instance> => {
    delete require.cache[file];
    return require(file);
  };
  return [
    ['the source', loadSource],
    ['the deployed bundle', loadBundle],
  ] as const;
};
