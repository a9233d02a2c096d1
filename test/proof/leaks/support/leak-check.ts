import { expect } from 'vitest';
import { replayCommand, seed } from '#test/proof/support/run.ts';
import { expectContract } from '#test/support/contract.ts';
import type { Response } from './start-process.ts';
import { CANARY, ownSummary, secretHashes } from './world.ts';

const fail = (problem: string, file: string): never =>
  expect.unreachable(`seed ${seed}: ${problem}; ${replayCommand(file)}`);

const secretIn = (text: string): string | undefined =>
  [CANARY.toLowerCase(), ...secretHashes].find((secret) => text.toLowerCase().includes(secret));

/** No secret in the answer, but for the summary of the lane's own file in a 200. */
export const expectNoSecret = (response: Response, lane: number, file: string): void => {
  expectContract(response);
  const text = JSON.stringify(response);
  const secret = secretIn(response.statusCode === 200 ? text.replace(ownSummary(lane), '') : text);
  if (secret) fail(`lane ${lane} was answered "${secret}" in ${text}`, file);
};

/** Nothing on stderr, no secret on stdout, and for each answer exactly one line of JSON that names it. */
export const expectCleanLog = (
  { lines, stderr }: { lines: readonly string[]; stderr: string },
  answers: readonly Response[],
  file: string,
): void => {
  if (stderr !== '') fail(`stderr holds ${JSON.stringify(stderr.slice(0, 500))}`, file);
  const leaking = lines.find(secretIn);
  if (leaking !== undefined) fail(`the log holds "${secretIn(leaking)}": ${leaking}`, file);
  const logged = lines.map((line) => String(JSON.parse(line).requestId)).toSorted();
  expect(logged).toEqual(answers.map(({ headers }) => headers['x-request-id']).toSorted());
};
