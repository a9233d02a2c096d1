import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';

/**
 * Reads an API key from stdin, where neither the list of processes nor the shell's history has it. A person is asked
 * on stderr, and what they type is not shown. Without white space at its ends; empty when there is none.
 */
export const readSecret = async (question: string): Promise<string> => {
  if (!process.stdin.isTTY) return (await text(process.stdin)).trim();
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  terminal.once('SIGINT', () => terminal.close());
  process.stderr.write(question);
  const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
  const answer = await Promise.race([terminal.question(''), closed]);
  terminal.close();
  process.stderr.write('\n');
  return answer.trim();
};
