import { Complaint } from './complaint.ts';

/**
 * Runs a command to its end. A Complaint becomes one sentence on stderr and exit code 1; anything else is a fault
 * of ours and keeps its stack.
 */
export const runCommand = async (command: () => Promise<void>): Promise<void> => {
  // Whoever stopped reading, `| head` for one, wants no more of it.
  process.stdout.on('error', () => undefined);
  try {
    await command();
  } catch (error) {
    const text = error instanceof Complaint ? error.message : faultText(error);
    process.stderr.write(`${text}\n`);
    process.exitCode = 1;
  }
};

const faultText = (error: unknown): string => {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
};
