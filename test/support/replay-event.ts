import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { ApiResponse } from '#lib/http/responses.ts';
import { expectContract } from './contract.ts';
import { FILE_ID } from './given.ts';
import type { Outcome } from './outcomes.ts';
import { aResponse } from './responses.ts';
import type { Tables } from './tables.ts';

/** Sends an event to the function. Returns its response and the lines of its log. */
type Invoke = (
  event: unknown,
  remainingMs: number,
) => Promise<{ readonly response: ApiResponse; readonly lines: readonly string[] }>;

/** Sends an event of events/, and compares the response, the log and the stored record with its outcome. */
export const replayEvent = async (
  name: string,
  { status, body, headers, log, changes }: Outcome,
  getFile: Tables['getFile'],
  invoke: Invoke,
): Promise<void> => {
  const event = JSON.parse(readFileSync(new URL(`../../events/${name}.json`, import.meta.url), 'utf8'));
  // Other triggers have the path instead.
  const { spaceId, fileId } = { spaceId: 'handbook', fileId: FILE_ID, ...event.pathParameters };
  const stored = () => (fileId.length > 1024 ? undefined : getFile(spaceId, fileId));
  const before = await stored();

  // The only outcome that is not in the event: Lambda has no time left.
  const { response, lines } = await invoke(event, name === 'service-unavailable' ? 400 : 10_000);

  const parsedBody = JSON.parse(expectContract(response).body);
  expect({ ...response, body: parsedBody }).toEqual({ ...aResponse(status, body, headers), body });
  const logged = lines.map((line) => JSON.parse(line));
  expect(logged.map(({ outcome, reason }) => ({ outcome, reason }))).toEqual([log]);
  const expected = before && JSON.parse(JSON.stringify({ ...before, ...changes }));
  expect(await stored()).toStrictEqual(expected);
};
