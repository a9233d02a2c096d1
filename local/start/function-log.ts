import { Writable } from 'node:stream';
import * as z from 'zod';

const LineSchema = z.object({ requestId: z.string(), outcome: z.string(), reason: z.string().optional() });

/** A stdout for the function, and what its lines there tell of each request. */
export type FunctionLog = {
  readonly stdout: Writable;
  /** What came of a request, and why; told once. Undefined for a request that the function never saw. */
  readonly takeOutcome: (requestId: string) => string | undefined;
};

const parseLine = (text: string) => {
  try {
    return LineSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
};

/** @param print gets every line as the function wrote it */
export const createFunctionLog = (print: (line: string) => void): FunctionLog => {
  const outcomes = new Map<string, string>();
  const stdout = new Writable({
    decodeStrings: false,
    write: (text, _, done) => {
      const line = parseLine(String(text));
      if (line !== undefined)
        outcomes.set(line.requestId, line.reason ? `${line.outcome}: ${line.reason}` : line.outcome);
      print(String(text));
      done();
    },
  });
  return {
    stdout,
    takeOutcome: (requestId) => {
      const outcome = outcomes.get(requestId);
      outcomes.delete(requestId);
      return outcome;
    },
  };
};
