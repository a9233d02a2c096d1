import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anEvent } from '#test/support/event.ts';
import { aFile } from '#test/support/given.ts';
import { anError, startService } from '#test/support/service.ts';
import { openTables, type Tables } from '#test/support/tables.ts';
import { putGiven } from './support/given-records.ts';

let tables: Tables;
beforeAll(async () => {
  tables = await openTables('error-record');
});
beforeEach(() => putGiven(tables));

describe('a stored record that fits neither shape is a 500 whose log names the attribute', () => {
  test.each([
    [{ language: undefined }, 'file record does not fit: language: invalid_type'],
    [{ domain: 7 }, 'file record does not fit: domain: invalid_type'],
    [{ tags: [{ key: 'a', value: 'b' }] }, 'file record does not fit: tags.0.aiExtracted: invalid_type'],
    [{ chunksCount: 1.5 }, 'file record does not fit: chunksCount: invalid_type'],
    [{ originalName: undefined }, 'file record does not fit: originalName missing from the detailed shape'],
    [{ version: '1' }, 'file record does not fit: version: invalid_type'],
  ])('%j', async (broken, reason) => {
    await tables.putFile(JSON.parse(JSON.stringify(aFile(broken))));
    const service = startService(tables);
    expect(await service.send(anEvent())).toEqual(anError(500, 'Internal Server Error'));
    expect(service.logged()).toMatchObject([
      { level: 'error', outcome: 'internal-error', status: 500, reason },
    ]);
  });
});
