import crypto, { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { Writable } from 'node:stream';
import type { createHandler } from '#lib/http/create-handler.ts';
import type { ApiResponse } from '#lib/http/responses.ts';
import type { Config } from '#lib/runtime/deps.ts';
import { bundleFile } from '#tools/project.ts';

/** What Lambda calls. */
export type Handler = (...args: Parameters<ReturnType<typeof createHandler>>) => Promise<ApiResponse>;

type Options = {
  readonly config: Config;
  /** The clock that the bundle finds when it is loaded. */
  readonly now: () => number;
  /** Gets every line that the bundle writes to stdout. */
  readonly log: (line: string) => void;
  readonly newId?: () => string;
  readonly file?: string;
};

const require = createRequire(import.meta.url);

/** Requires a module while properties of objects have other values. */
const requireWith = (file: string, values: readonly (readonly [object, string, unknown])[]) => {
  const before = values.map(([target, name]) => Object.getOwnPropertyDescriptor(target, name) ?? {});
  for (const [target, name, value] of values)
    Object.defineProperty(target, name, { value, configurable: true, writable: true });
  delete require.cache[file];
  try {
    return require(file);
  } finally {
    for (const [index, [target, name]] of values.entries())
      Object.defineProperty(target, name, before[index] ?? {});
  }
};

/** Loads the deployed bundle once more, as another Lambda instance would. It waits no time before a retry. */
export const openBundle = ({ config, now, log, newId = randomUUID, file = bundleFile }: Options): Handler => {
  const stdout = new Writable({
    decodeStrings: false,
    write: (text, _, done) => {
      log(String(text).trimEnd());
      done();
    },
  });
  const bundle: { handler: Handler } = requireWith(file, [
    [process, 'stdout', stdout],
    [Date, 'now', now],
    [Math, 'random', () => 0],
    [crypto, 'randomUUID', newId],
  ]);
  return (event, context) => {
    // It reads the names of its tables with its first request.
    process.env['API_KEYS_TABLE'] = config.apiKeysTable;
    process.env['SPACES_TABLE'] = config.spacesTable;
    process.env['FILES_TABLE'] = config.filesTable;
    return bundle.handler(event, context);
  };
};
