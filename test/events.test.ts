import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { logged } from './support/logged.ts';
import { outcomes } from './support/outcomes.ts';
import { seed } from './support/seed.ts';
import { aResponse, startService } from './support/service.ts';
import { openTables, type Tables } from './support/tables.ts';

const folder = new URL('../events/', import.meta.url);
const names = readdirSync(folder).map((file) => file.replace(/\.json$/, ''));
const readEvent = (name: string) => JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8'));

describe('each event of events/ is answered as the contract says and leaves the record so', () => {
  let tables: Tables;
  beforeAll(async () => {
    tables = await openTables('events');
  });
  beforeEach(() => seed(tables));

  test('every event has an outcome and every outcome an event', () => {
    expect(names.toSorted()).toEqual(Object.keys(outcomes).toSorted());
  });

  test.each(Object.entries(outcomes))('%s', async (name, { status, body, headers, changes }) => {
    const event = readEvent(name);
    const { spaceId, fileId } = event.pathParameters;
    const stored = () => (fileId.length > 1024 ? undefined : tables.getFile(spaceId, fileId));
    const before = await stored();

    // Lambda's own time is nearly over: the one outcome that is not in the event.
    const remainingMs = name === 'service-unavailable' ? 400 : 10_000;
    const service = startService(tables, { remainingMs });
    const response = await service.send(event);

    expect(response).toEqual(aResponse(status, body, headers));
    const [outcome, reason] = logged[name] ?? ['updated'];
    expect(service.logged().map((line) => [line['outcome'], line['reason']])).toEqual([[outcome, reason]]);
    const expected = before && JSON.parse(JSON.stringify({ ...before, ...changes }));
    expect(await stored()).toStrictEqual(expected);
  });
});
