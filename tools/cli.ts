import { inspect } from 'node:util';
import * as z from 'zod';

/** A mistake that the user can correct. Commands print only its message, without a stack. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The message of any thrown value, on one line. */
export const reasonOf = (thrown: unknown): string => {
  // Node tries each address of `localhost`.
  if (thrown instanceof AggregateError) return thrown.errors.map(reasonOf).join(', ');
  return (thrown instanceof Error ? thrown.message : String(thrown)).replace(/\s+/g, ' ');
};

/** Checks outside data against a schema. Throws a UsageError that names each place, and no value. */
export const check = <Schema extends z.ZodType>(schema: Schema, data: unknown): z.infer<Schema> => {
  const parsed = schema.safeParse(data);
  if (parsed.success) return parsed.data;
  throw new UsageError(z.prettifyError(parsed.error));
};

/** npm changes to the folder of package.json. Paths in the arguments of a script are relative to the folder of the user. */
export const enterUserFolder = (script: string): void => {
  const { INIT_CWD: folder, npm_lifecycle_event: running } = process.env;
  if (running === script && folder !== undefined) process.chdir(folder);
};

/** npm takes options without a `--` before them for its own, and leaves only their values. */
export const npmAdvice = 'npm needs -- before all options.';

/** The message is enough if Node or the system has given the error a code, or AWS its metadata. */
const describe = (thrown: unknown): string => {
  if (thrown instanceof UsageError) return thrown.message.trimEnd();
  if (!(thrown instanceof Error && ('code' in thrown || '$metadata' in thrown))) return inspect(thrown);
  const isArgument = 'code' in thrown && thrown.code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL';
  return isArgument ? `${reasonOf(thrown)}. ${npmAdvice}` : reasonOf(thrown);
};

/** npm has these options too, and may have them from its own configuration. */
const optionsOfNpm = ['help', 'yes', 'json'];

/** Throws a UsageError for an option of the usage text that npm has kept for itself. */
const expectNoSwallowedOption = (usage: string): void => {
  const names = new Set([...usage.matchAll(/--([a-z][a-z-]+)/g)].map(([, name = '']) => name));
  const swallowed = [...names].find(
    (name) => !optionsOfNpm.includes(name) && process.env[`npm_config_${name.replaceAll('-', '_')}`],
  );
  if (swallowed) throw new UsageError(`npm has kept the option --${swallowed} for itself. ${npmAdvice}`);
};

/** Runs a command, or prints `usage` for `--help` or `-h`. An error is printed and ends the process with 1. */
export const runCommand = async (usage: string, command: () => Promise<void>): Promise<void> => {
  try {
    if (process.argv.some((argument) => ['--help', '-h'].includes(argument))) {
      process.stdout.write(usage);
      return;
    }
    expectNoSwallowedOption(usage);
    await command();
  } catch (error) {
    process.stderr.write(`${describe(error)}\n`);
    process.exit(1);
  }
};
