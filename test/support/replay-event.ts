import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { ApiResponse } from '#lib/http/responses.ts';
import type { Outcome } from './outcomes.ts';
import { aResponse } from './service.ts';
import type { Tables } from './tables.ts';

const folder = new URL('../../events/', import.meta.url);

/** The events of events/ by name. */
export const eventNames = readdirSync(folder).map((file) => file.replace(/\.json$/, ''));
export const readEvent = (name: string) => JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8'));

type Lines = readonly Record<string, unknown>[];
type Service = {
  readonly send: (event: unknown) => Promise<ApiResponse>;
  readonly logged: () => Lines | Promise<Lines>;
};
/** Starts the operation over these tables, in any form. */
export type StartService = (tables: Tables, options?: { readonly remainingMs?: number }) => Service;

/** Sends an event of events/, and compares the response, the log and the stored record with its outcome. */
export const replayEvent = async (
  name: string,
  { status, body, headers, log, changes }: Outcome,
  { tables, start }: { readonly tables: Tables; readonly start: StartService },
): Promise<void> => {
  const event = readEvent(name);
  const { spaceId, fileId } = event.pathParameters;
  const stored = () => (fileId.length > 1024 ? undefined : tables.getFile(spaceId, fileId));
  const before = await stored();

  // The only outcome that is not in the event: Lambda has no time left.
  const service = start(tables, { remainingMs: name === 'service-unavailable' ? 400 : 10_000 });
  const response = await service.send(event);

  expect({ ...response, body: JSON.parse(response.body) }).toEqual({
    ...aResponse(status, body, headers),
    body,
  });
  const lines = await service.logged();
  expect(lines.map(({ outcome, reason }) => ({ outcome, reason }))).toEqual([log]);
  const expected = before && JSON.parse(JSON.stringify({ ...before, ...changes }));
  expect(await stored()).toStrictEqual(expected);
};
