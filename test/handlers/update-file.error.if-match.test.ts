import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anEvent } from '#test/support/event.ts';
import { FIRST_VERSION } from '#test/support/given.ts';
import { anError } from '#test/support/service.ts';
import { openTables, type Tables } from '#test/support/tables.ts';
import { putGiven } from './support/given-records.ts';
import { refuseUnchanged } from './support/refuse.ts';

let tables: Tables;
beforeAll(async () => {
  tables = await openTables('error-if-match');
});
beforeEach(() => putGiven(tables));

const refuse = (event: unknown) => refuseUnchanged(tables, event);

describe('If-Match', () => {
  test.each([`"${FIRST_VERSION}"`, 'W/"0"', '"00"', '"a,b"', '""', '"9007199254740993"', '"1", "2"'])(
    '%s does not match, and the current etag comes along',
    async (ifMatch) => {
      expect(await refuse(anEvent({ headers: { 'if-match': ifMatch } }))).toEqual(
        anError(412, 'File was changed by another request', { etag: '"0"' }),
      );
    },
  );

  test.each([
    '0',
    '',
    ' ',
    ',',
    '"0',
    '*, "0"',
    '"0" "1"',
    'w/"0"',
    '"\u0000"',
    Array(101).fill('"0"').join(),
  ])('%j is unreadable', async (ifMatch) => {
    expect(await refuse(anEvent({ headers: { 'if-match': ifMatch } }))).toEqual(
      anError(400, 'If-Match is invalid'),
    );
  });
});
