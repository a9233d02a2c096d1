import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anEvent } from '#test/support/event.ts';
import { aFile, aFileView, FILE_ID, FIRST_VERSION } from '#test/support/given.ts';
import { aResponse, startService } from '#test/support/service.ts';
import { openTables, type Tables } from '#test/support/tables.ts';
import { putGiven } from './support/given-records.ts';

let tables: Tables;
beforeAll(async () => {
  tables = await openTables('happy-patch');
});
beforeEach(() => putGiven(tables));

const etag = { etag: `"${FIRST_VERSION}"` };
const stamp = { version: FIRST_VERSION, requestId: 'request-1', updatedBy: 'grace' };
const stored = () => tables.getFile('handbook', FILE_ID);

describe('what is sent is set, what is null is cleared, what is absent is kept', () => {
  const without = (...names: string[]) =>
    Object.fromEntries(Object.entries(aFile()).filter(([name]) => !names.includes(name)));

  test.each([
    ['{"summary":"New."}', { summary: 'New.' }, { ...aFile(), summary: 'New.' }],
    ['{"documentKind":"memo"}', { documentKind: 'memo' }, { ...aFile(), documentKind: 'memo' }],
    [
      '{"summary":"New.","documentKind":"memo"}',
      { summary: 'New.', documentKind: 'memo' },
      { ...aFile(), summary: 'New.', documentKind: 'memo' },
    ],
    ['{"summary":null}', { summary: null }, without('summary')],
    ['{"documentKind":null}', { documentKind: null }, without('documentKind')],
    [
      '{"summary":null,"documentKind":null}',
      { summary: null, documentKind: null },
      without('summary', 'documentKind'),
    ],
    [
      '{"summary":null,"documentKind":"memo"}',
      { summary: null, documentKind: 'memo' },
      { ...without('summary'), documentKind: 'memo' },
    ],
    [
      '{"summary":"New.","documentKind":null}',
      { summary: 'New.', documentKind: null },
      { ...without('documentKind'), summary: 'New.' },
    ],
  ])('%s', async (body, changed, record) => {
    const response = await startService(tables).send(anEvent({ body }));
    expect(response).toEqual(aResponse(200, aFileView(changed), etag));
    expect(await stored()).toStrictEqual({ ...record, ...stamp });
  });

  test.each([
    '',
    ' padded ',
    'e\u0301 is not \u00e9',
    '\u0000\u202e\ufeff\uffff',
    '👩‍👩‍👧',
    '😀'.repeat(10_000),
  ])('a summary comes back as it was sent: %j', async (summary) => {
    const response = await startService(tables).send(anEvent({ body: JSON.stringify({ summary }) }));
    expect(response).toEqual(aResponse(200, aFileView({ summary }), etag));
    expect((await stored())?.['summary']).toBe(summary);
  });
});
