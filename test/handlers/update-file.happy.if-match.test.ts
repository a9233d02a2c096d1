import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anEvent } from '#test/support/event.ts';
import { aFileView, FIRST_VERSION } from '#test/support/given.ts';
import { aResponse, startService } from '#test/support/service.ts';
import { openTables, type Tables } from '#test/support/tables.ts';
import { putGiven } from './support/given-records.ts';

let tables: Tables;
beforeAll(async () => {
  tables = await openTables('happy-if-match');
});
beforeEach(() => putGiven(tables));

describe('If-Match', () => {
  test.each([
    '*',
    ' * ',
    `"${FIRST_VERSION}", ,`,
    `${'"a",'.repeat(99)}"${FIRST_VERSION}"`,
    `"${FIRST_VERSION}"`,
    `"other", "${FIRST_VERSION}"`,
    `W/"1" ,, "${FIRST_VERSION}",`,
  ])('%s matches the version that an earlier answer gave', async (ifMatch) => {
    const service = startService(tables);
    await service.send(anEvent());
    const response = await service.send(
      anEvent({ headers: { 'if-match': ifMatch }, body: '{"documentKind":"memo"}' }),
    );
    const view = aFileView({ summary: 'New.', documentKind: 'memo' });
    expect(response).toEqual(aResponse(200, view, { etag: `"${FIRST_VERSION + 1}"` }, 'request-2'));
  });

  test('a file that was never written has version 0', async () => {
    const response = await startService(tables).send(anEvent({ headers: { 'if-match': '"0"' } }));
    expect(response.statusCode).toBe(200);
  });
});
