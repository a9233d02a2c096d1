import crypto from 'node:crypto';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, inject, test, vi } from 'vitest';
import { numberRequests, runAsEvent } from '#test/requests/as-event.ts';
import { allCases } from '#test/requests/cases/all.ts';
import { aContext } from '#test/support/event.ts';
import { settingsFor, temporaryFolder } from '#test/support/processes.ts';
import { openTables, seed } from '#test/support/tables.ts';
import { buildBundle } from '#tools/bundle/bundle.ts';

/* Each case as an event, once, sent to the bundle that is deployed, on a DynamoDB engine. */

const tables = await openTables('events');
const folder = temporaryFolder();
const file = join(folder.path, 'update-file.cjs');
afterAll(folder.remove);
beforeAll(async () => {
  await Promise.all([seed(tables), buildBundle({ file })]);
});

const { now, newId, draw } = numberRequests();
const lines: string[] = [];
beforeEach(() => {
  for (const [name, value] of Object.entries({ ...settingsFor(inject('endpoint')), ...tables.names }))
    vi.stubEnv(name, value);
  const ids: { randomUUID: () => string } = crypto;
  vi.spyOn(ids, 'randomUUID').mockImplementation(newId);
  syncBuiltinESMExports();
  vi.spyOn(Date, 'now').mockImplementation(now);
  vi.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
});
const invoke = async (event: unknown, remainingMs: number) => {
  const { handler } = createRequire(import.meta.url)(file);
  lines.length = 0;
  return { response: await handler(event, aContext(remainingMs)), lines: [...lines] };
};

test.each(allCases.filter(({ only }) => only !== 'url'))('$name', async (oneCase) => {
  await runAsEvent({ tables, draw, invoke }, oneCase, oneCase.only === '1.0' ? '1.0' : '2.0');
});
