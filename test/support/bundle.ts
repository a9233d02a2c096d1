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
  /** The clock that it finds when it is loaded. */
  readonly now: () => number;
  /** Gets every line that it writes to its stdout. */
  readonly log: (line: string) => void;
  readonly newId?: () => string;
  readonly file?: string;
};

const require = createRequire(import.meta.url);

/** Runs an action while properties of an object have other values. */
const withReplaced = <Result>(target: object, values: object, action: () => Result): Result => {
  const before = Object.keys(values).map((name) => [name, Object.getOwnPropertyDescriptor(target, name)]);
  for (const [name, value] of Object.entries(values))
    Object.defineProperty(target, name, { value, configurable: true, writable: true });
  try {
    return action();
  } finally {
    Object.defineProperties(target, Object.fromEntries(before));
  }
};

/** Loads the deployed bundle once more, as another Lambda instance would. */
export const openBundle = ({ config, now, log, newId = randomUUID, file = bundleFile }: Options): Handler => {
  const stdout = new Writable({
    decodeStrings: false,
    write: (text, _, done) => {
      log(String(text).trimEnd());
      done();
    },
  });
  delete require.cache[file];
  const load = (): { handler: Handler } => require(file);
  const bundle = withReplaced(process, { stdout }, () =>
    withReplaced(Date, { now }, () => withReplaced(crypto, { randomUUID: newId }, load)),
  );
  return (event, context) => {
    // It reads its tables with its first request, whoever was set up meanwhile.
    process.env['API_KEYS_TABLE'] = config.apiKeysTable;
    process.env['SPACES_TABLE'] = config.spacesTable;
    process.env['FILES_TABLE'] = config.filesTable;
    return bundle.handler(event, context);
  };
};
