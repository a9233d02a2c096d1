import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type ParseArgsConfig, type ParseArgsOptionsConfig, parseArgs } from 'node:util';

/** A mistake that the user can correct. Commands print only its message, without a stack. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The message of any thrown value, on one line. */
export const reasonOf = (thrown: unknown): string => {
  const message = thrown instanceof Error ? thrown.message || thrown.name : String(thrown);
  return message.replace(/\s+/g, ' ').trim();
};

/** The system error code of a thrown value, for example `ENOENT`; undefined where it has none. */
export const codeOf = (thrown: unknown): string | undefined =>
  thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : undefined;

/** Replaces control characters, because text from a request must not move the cursor of a terminal. */
export const printable = (value: string): string => value.replace(/\p{C}/gu, '?');

/** The hint at the end of a message about the command line. @param command as typed, for example `npm start` */
export const helpHint = (command: string): string => `Run \`${command} -- --help\` to list the options.`;

/**
 * Reads a command line with parseArgs of node:util.
 *
 * @param command as typed, for example `npm start`
 * @throws {UsageError} for an unknown option and for a missing value
 */
export const parseArguments = <Config extends ParseArgsConfig>(command: string, config: Config) => {
  try {
    return parseArgs(config);
  } catch (error) {
    const [problem] = reasonOf(error).split('. ');
    throw new UsageError(`${problem}. ${helpHint(command)}`, { cause: error });
  }
};

/** The values of the options alone, for a command that takes no other arguments. Throws like parseArguments. */
export const parseOptions = <Options extends ParseArgsOptionsConfig>(
  args: string[],
  command: string,
  options: Options,
) => parseArguments(command, { args, options }).values;

/** Reads a secret from stdin. On a terminal it asks on stderr and does not echo. Returns '' if there was no input. */
export const readSecret = async (question: string): Promise<string> => {
  if (!process.stdin.isTTY) return (await text(process.stdin)).trim();
  const terminal = createInterface({ input: process.stdin, output: new PassThrough(), terminal: true });
  process.stderr.write(question);
  const [line = ''] = await Promise.race([once(terminal, 'line'), once(terminal, 'close')]);
  terminal.close();
  process.stderr.write('\n');
  return String(line).trim();
};

/** Runs a command. A UsageError is printed as one sentence, any other error with its stack; both exit with 1. */
export const runCommand = async (command: () => Promise<void>): Promise<void> => {
  // The reader of a pipe may end early, for example `| head`.
  process.stdout.on('error', () => undefined);
  try {
    await command();
  } catch (error) {
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(`${error instanceof UsageError ? error.message : stack}\n`);
    process.exitCode = 1;
  }
};
