import { expect } from 'vitest';
import type { ApiResponse } from '#lib/http/responses.ts';
import { isStorable } from '#lib/store/tables.ts';
import { EDITABLE, FILE_ID, unknownField } from './given.ts';
import { exampleErrors, responseErrors } from './openapi.ts';
import type { Outcome } from './outcomes.ts';
import { aResponse } from './responses.ts';
import type { Tables } from './tables.ts';

/** Messages that name a field, as docs/contract.md has them. openapi.yaml has one example of each. */
const readOnly = '(?:id|originalName|language|domain|chunksCount|charactersCount|tags)';
const unknown = unknownField(String.raw`[\s\S]{0,128}`);
const field = `(?:${[`Field "${readOnly}" is not editable`, unknown, ...Object.values(EDITABLE).flat()].join('|')})`;
const fieldMessages = new RegExp(`^(?:Duplicate field "[\\s\\S]{0,128}"|${field}(?:; ${field}){0,4})$`);

const isDocumented = (status: number, message: string) =>
  exampleErrors.includes(`${status} ${message}`) || (status === 400 && fieldMessages.test(message));

/**
 * Fails the test that got a response which openapi.yaml does not describe: another status, header, field or message.
 * Every response to an event goes through it. Returns the response.
 */
export const expectContract = (response: ApiResponse): ApiResponse => {
  const { statusCode: status, headers } = response;
  const body = JSON.parse(response.body);
  const errors = [
    ...responseErrors({ status, headers, body }),
    ...(status === 200 || isDocumented(status, body.message)
      ? []
      : [`openapi.yaml does not have the message "${body.message}"`]),
  ];
  if (errors.length > 0) expect.unreachable(`${errors.join('; ')}: ${JSON.stringify(response)}`);
  return response;
};

/** Sends an event to the function. Returns its response and the lines of its log. */
type Invoke = (
  event: unknown,
  remainingMs: number,
) => Promise<{ readonly response: ApiResponse; readonly lines: readonly string[] }>;

/** Sends an event, and compares the response, the log and the stored record with an outcome. */
export const expectOutcome = async (
  event: unknown,
  { status, body, headers, log, changes, remainingMs = 10_000 }: Outcome,
  getFile: Tables['getFile'],
  invoke: Invoke,
): Promise<void> => {
  // An event without them leaves the usual file as it is.
  const { spaceId, fileId } = { spaceId: 'handbook', fileId: FILE_ID, ...Object(event).pathParameters };
  // An id that no table can hold has no record.
  const stored = () => (isStorable(spaceId) && isStorable(fileId) ? getFile(spaceId, fileId) : undefined);
  const before = await stored();

  const { response, lines } = await invoke(event, remainingMs);

  const parsedBody = JSON.parse(expectContract(response).body);
  expect({ ...response, body: parsedBody }).toEqual({ ...aResponse(status, body, headers), body });
  const logged = lines.map((line) => JSON.parse(line));
  expect(logged.map(({ outcome, reason }) => ({ outcome, reason }))).toEqual([log]);
  const expected = before && JSON.parse(JSON.stringify({ ...before, ...changes }));
  expect(await stored()).toStrictEqual(expected);
};
