import { inspect, type ParseArgsConfig, parseArgs } from 'node:util';
import type * as z from 'zod';

/** A mistake that the user can correct. Commands print only its message, without a stack. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A shorter argument is no secret. To cut out a port, for example, would spoil addresses. */
const MIN_SECRET_CHARACTERS = 8;

/** A message of Node, of DynamoDB or of others, without the arguments: a key may be typed in the wrong place. */
const withoutArguments = (message: string): string =>
  process.argv
    .slice(2)
    .flatMap((argument) => [argument, argument.replace(/^--?[\w-]+=/, '')])
    .filter(({ length }) => length >= MIN_SECRET_CHARACTERS)
    .reduce((text, argument) => text.replaceAll(argument, '…'), message);

const messageOf = (thrown: unknown) =>
  (thrown instanceof Error ? thrown.message : String(thrown)).replace(/\s+/g, ' ');

/** The message of any thrown value, on one line, without the arguments of this command. */
export const reasonOf = (thrown: unknown): string => {
  // Node tries each address of `localhost`.
  if (thrown instanceof AggregateError) return thrown.errors.map(reasonOf).join(', ');
  return thrown instanceof UsageError ? messageOf(thrown) : withoutArguments(messageOf(thrown));
};

/** Whether an error has this code of Node or of the system. */
export const hasCode = <Code extends string>(thrown: unknown, code: Code): thrown is Error & { code: Code } =>
  thrown instanceof Error && 'code' in thrown && thrown.code === code;

/** npm changes to the folder of package.json. Paths in the arguments of a script are relative to the folder of the user. */
export const enterUserFolder = (script: string): void => {
  const { INIT_CWD: folder, npm_lifecycle_event: running } = process.env;
  if (running === script && folder !== undefined) process.chdir(folder);
};

/** npm takes options without a `--` before them for its own, and leaves only their values. */
export const npmAdvice = 'npm needs -- before all options.';

/** Reads the arguments of a command. Throws a UsageError that names the options, and repeats nothing of what was typed. */
export const readArguments = <const Config extends ParseArgsConfig>(config: Config) => {
  try {
    return parseArgs(config);
  } catch (error) {
    // Only this message of Node has the name of a known option alone.
    const isKnownOption = hasCode(error, 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE');
    const problem = isKnownOption ? messageOf(error) : 'An option or an argument is unknown';
    const names = [...Object.keys(config.options ?? {}), 'help'].map((name) => `--${name}`);
    throw new UsageError(`${problem}. The options are ${names.join(', ')}. ${npmAdvice}`);
  }
};

/** What is wrong with the value of an option. */
const optionProblem: z.core.$ZodErrorMap = ({ code, input, ...issue }) => {
  if (input === undefined) return 'is missing';
  return code === 'invalid_value' && 'values' in issue && Array.isArray(issue.values)
    ? `must be one of ${issue.values.join(', ')}`
    : undefined;
};

/**
 * Checks the options of a command. Throws a UsageError that names each one as the user writes it, and no value.
 *
 * @param words what the usage text calls an argument that is no option
 */
export const checkOptions = <Schema extends z.ZodType>(
  schema: Schema,
  options: unknown,
  words: Readonly<Record<string, string>> = {},
): z.infer<Schema> => {
  const parsed = schema.safeParse(options, { error: optionProblem });
  if (parsed.success) return parsed.data;
  const nameOf = (name: PropertyKey = '') => words[String(name)] ?? `--${String(name)}`;
  const problems = parsed.error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => `This command does not take ${nameOf(key)}. ${npmAdvice}`)
      : `${nameOf(issue.path[0])} ${issue.message}.`,
  );
  throw new UsageError([...new Set(problems)].join('\n'));
};

/** The message is enough if Node or the system has given the error a code, or AWS its metadata. */
const describe = (thrown: unknown): string => {
  if (thrown instanceof UsageError) return thrown.message.trimEnd();
  return thrown instanceof Error && ('code' in thrown || '$metadata' in thrown)
    ? reasonOf(thrown)
    : withoutArguments(inspect(thrown));
};

/** npm has these options too, and a user may have set them for all commands. */
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
