import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { Complaint, reasonOf } from './complaint.ts';

/**
 * Reads the options of a command line, as node:util's parseArgs does.
 *
 * @param command what the user types for it, without options: `npm start`
 * @throws {Complaint} for what it does not know, with the way to its help
 */
export const parseOptions = <Options extends ParseArgsOptionsConfig>(
  args: string[],
  command: string,
  options: Options,
) => {
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    const [sentence] = reasonOf(error).split('. ');
    throw new Complaint(`${sentence}; ${command} -- --help shows what there is.`);
  }
};
