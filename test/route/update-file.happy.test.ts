import { NumberValue } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, test } from 'vitest';
import { anEvent, aRestEvent } from '#test/support/event.ts';
import { aFile, aFileView, FILE_ID, FIRST_VERSION, NOW, without } from '#test/support/given.ts';
import { anUpdate, startService } from '#test/support/service.ts';
import { openTables } from '#test/support/tables.ts';

const tables = await openTables('happy');
beforeEach(tables.putGiven);
const stored = () => tables.getFile('handbook', FILE_ID);
const metadata = { version: FIRST_VERSION, requestId: 'request-1', updatedBy: 'grace' };

test.each([
  [{ summary: 'New.' }, aFile({ summary: 'New.' })],
  [{ documentKind: 'memo' }, aFile({ documentKind: 'memo' })],
  [{ summary: 'New.', documentKind: 'memo' }, aFile({ summary: 'New.', documentKind: 'memo' })],
  [{ summary: null }, without(aFile(), 'summary')],
  [{ documentKind: null }, without(aFile(), 'documentKind')],
  [{ summary: null, documentKind: null }, without(aFile(), 'summary', 'documentKind')],
  [{ summary: null, documentKind: 'memo' }, without(aFile({ documentKind: 'memo' }), 'summary')],
  [{ summary: 'New.', documentKind: null }, without(aFile({ summary: 'New.' }), 'documentKind')],
])('%j sets values, removes null and keeps the rest', async (patch, record) => {
  const response = await startService(tables).send(anEvent({ body: JSON.stringify(patch) }));
  expect(response).toEqual(anUpdate(aFileView(patch), FIRST_VERSION));
  expect(await stored()).toStrictEqual({ ...record, ...metadata });
});

test.each([
  ...['', ' padded ', 'e\u0301 is not \u00e9', '\u0000\u202e\ufeff\uffff', '👩‍👩‍👧', '😀'.repeat(10_000)],
])('a summary is stored and returned as it was sent: %.20j', async (summary) => {
  const response = await startService(tables).send(anEvent({ body: JSON.stringify({ summary }) }));
  expect(response).toEqual(anUpdate(aFileView({ summary }), FIRST_VERSION));
  expect(await stored()).toStrictEqual(aFile({ summary, ...metadata }));
});

test.each(['*', `"${FIRST_VERSION}"`, `"other", "${FIRST_VERSION}"`])(
  'If-Match %s matches the version of an earlier response',
  async (ifMatch) => {
    const service = startService(tables);
    expect(await service.send(anEvent())).toEqual(anUpdate(aFileView({ summary: 'New.' }), FIRST_VERSION));
    const event = anEvent({ headers: { 'if-match': ifMatch }, body: '{"documentKind":"memo"}' });
    const view = aFileView({ summary: 'New.', documentKind: 'memo' });
    expect(await service.send(event)).toEqual(anUpdate(view, FIRST_VERSION + 1, 'request-2'));
  },
);

const others = { 'x-http-method-override': 'DELETE', 'x-forwarded-user': 'ada' };
const query = { queryStringParameters: { 'x-user-id': 'ada', summary: 'Other.' } };
test.each([
  ['unknown headers and query parameters', anEvent({ headers: others, extra: query })],
  ['If-Match "0" on a file that was never written', anEvent({ headers: { 'if-match': '"0"' } })],
])('%s make no difference', async (_, event) => {
  expect(await startService(tables).send(event)).toEqual(
    anUpdate(aFileView({ summary: 'New.' }), FIRST_VERSION),
  );
});

test.each(['a#b', 'a/b', 'a,b', 'a|b', '%2e', 'ü', 'i'.repeat(1024)])(
  'file id %.5j names that file only, in both formats',
  async (fileId) => {
    await tables.putFile(aFile({ fileId }));
    const service = startService(tables);
    const view = aFileView({ id: fileId, summary: 'New.' });
    expect(await service.send(anEvent({ fileId }))).toEqual(anUpdate(view, FIRST_VERSION));
    expect(await service.send(aRestEvent({ fileId: encodeURIComponent(fileId) }))).toEqual(
      anUpdate(view, FIRST_VERSION + 1, 'request-2'),
    );
    expect(await stored()).toEqual(aFile());
  },
);

test('a number that no double can hold does not matter, neither in a written nor in a rejected record', async () => {
  const version = FIRST_VERSION + 7;
  await tables.putFile(aFile({ version, views: NumberValue.from('12345678901234567890.5') }));
  const response = await startService(tables, { now: () => NOW }).send(anEvent());
  expect(response).toEqual(anUpdate(aFileView({ summary: 'New.' }), version + 1));
});
