import { parseOptions, readSecret, UsageError } from '#tools/cli.ts';

const text = { type: 'string' } as const;
const options = {
  url: text,
  tenant: text,
  user: text,
  space: text,
  file: text,
  'document-kind': text,
  'api-key': text,
  burst: text,
  help: { type: 'boolean', default: false },
} as const;

const command = 'npm run smoke';

/** Reads the command line. Throws a UsageError for what it does not know. */
export const readOptions = (args: string[]) => parseOptions(args, command, options);

/** An option that must be there. Throws a UsageError that names it. */
export const expectOption = (option: string, value: string | undefined): string => {
  if (value !== undefined) return value;
  throw new UsageError(`--${option} is missing. Run \`${command} -- --help\` to list the options.`);
};

/** An id as the contract has it. Throws a UsageError that names the option. */
export const readId = (option: string, value: string | undefined): string => {
  const id = expectOption(option, value);
  if (/^[^\s\p{Cc}\p{Cf},]{1,128}$/u.test(id)) return id;
  throw new UsageError(
    `--${option} must be 1 to 128 characters without white space, commas or control characters.`,
  );
};

/** How many requests to burst; 0 for none. Throws a UsageError where it is no number. */
export const readBurst = (value: string | undefined): number => {
  if (value === undefined || /^[1-9]\d{0,4}$/.test(value)) return Number(value ?? 0);
  throw new UsageError('--burst must be a number from 1 to 99999.');
};

/** The API key: what is named, or SMOKE_API_KEY, or stdin. Throws a UsageError that never quotes it. */
export const readKey = async (named: string | undefined): Promise<string> => {
  const key = named ?? process.env['SMOKE_API_KEY'] ?? (await readSecret('API key (it is not shown): '));
  if (key === '') throw new UsageError('No API key came from --api-key, SMOKE_API_KEY or stdin.');
  if (/^[\x21-\x2b\x2d-\x7e]{1,512}$/.test(key)) return key;
  throw new UsageError('The API key must be up to 512 printable ASCII characters without spaces and commas.');
};
