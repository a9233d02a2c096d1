import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

/** What a process prints, as it comes. */
export const readPrinted = ({ stdout, stderr }: ChildProcess) => {
  if (stdout === null || stderr === null) throw new Error('the process has no pipes');
  const lines: string[] = [];
  const output = createInterface({ input: stdout });
  output.on('line', (line) => void lines.push(line));
  const complaints = text(stderr);
  return {
    lines: (): readonly string[] => lines,
    /** The lines after the first `count`, once there is one: a pipe may be behind the answers. */
    linesAfter: async (count: number): Promise<readonly string[]> => {
      while (lines.length <= count) {
        await new Promise<void>((resolve) => void output.once('line', () => resolve()));
      }
      return lines.slice(count);
    },
    /** All that it wrote to stderr, once it has ended. */
    complaints,
  };
};
