import { resolve } from 'node:path';
import { parseOptions, UsageError } from '#tools/cli.ts';

export type Options = {
  readonly url: string | undefined;
  readonly world: string | undefined;
  readonly only: string;
  readonly junit: string | undefined;
  readonly list: boolean;
  readonly help: boolean;
};

const options = {
  url: { type: 'string' },
  world: { type: 'string' },
  only: { type: 'string', default: '' },
  junit: { type: 'string' },
  list: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/** Reads the command line of `npm run conformance`. Throws a UsageError for what it does not know. */
export const readOptions = (args: string[]): Options => {
  const { url, world, junit, ...rest } = parseOptions(args, 'npm run conformance', options);
  return { url, world: fileOf('world', world), junit: fileOf('junit', junit), ...rest };
};

/** npm runs a script in the project's folder; files on the command line are meant from where the user stands. */
const fileOf = (option: string, file: string | undefined): string | undefined => {
  if (file === '') throw new UsageError(`--${option} must name a file.`);
  const { INIT_CWD: folder, npm_lifecycle_event: script } = process.env;
  return file && resolve(script === 'conformance' ? (folder ?? '.') : '.', file);
};
