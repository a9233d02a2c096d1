import { NumberValue } from '@aws-sdk/lib-dynamodb';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anEvent, aRestEvent, base64 } from '#test/support/event.ts';
import {
  aBasicFile,
  aFile,
  aFileView,
  anApiKey,
  aSpace,
  FILE_ID,
  FIRST_VERSION,
} from '#test/support/given.ts';
import { aResponse, startService } from '#test/support/service.ts';
import { openTables, type Tables } from '#test/support/tables.ts';

let tables: Tables;
beforeAll(async () => {
  tables = await openTables('happy');
  await tables.putApiKey(anApiKey());
  await tables.putSpace(aSpace());
});
beforeEach(() => tables.putFile(aFile()));

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

describe('the answer', () => {
  test('is the basic shape for a record without name and counts', async () => {
    await tables.putFile(aBasicFile());
    const response = await startService(tables).send(anEvent({ body: '{"summary":null}' }));
    const view = {
      id: FILE_ID,
      summary: null,
      language: 'en',
      documentKind: 'guide',
      domain: 'hr',
      tags: [],
    };
    expect(response).toEqual(aResponse(200, view, etag));
  });

  test('is the same for payload format 1.0', async () => {
    const response = await startService(tables).send(aRestEvent());
    expect(response).toEqual(aResponse(200, aFileView({ summary: 'New.' }), etag));
  });

  test('is the same for a body in base64', async () => {
    const event = anEvent({ body: base64('{"summary":"Grüße"}'), isBase64Encoded: true });
    const response = await startService(tables).send(event);
    expect(response).toEqual(aResponse(200, aFileView({ summary: 'Grüße' }), etag));
  });

  test('holds tags as an empty list when the record has none', async () => {
    const { tags: _, ...untagged } = aBasicFile();
    await tables.putFile(untagged);
    const { body } = await startService(tables).send(anEvent());
    expect(JSON.parse(body).tags).toEqual([]);
  });

  test('is not disturbed by a stored number that no double can hold', async () => {
    await tables.putFile(aFile({ views: NumberValue.from('12345678901234567890.5') }));
    const service = startService(tables);
    const mismatch = await service.send(anEvent({ headers: { 'if-match': '"1"' } }));
    expect(mismatch.statusCode).toBe(412);
    const response = await service.send(anEvent());
    expect(response).toEqual(
      aResponse(200, aFileView({ summary: 'New.' }), { etag: `"${FIRST_VERSION + 1}"` }, 'request-2'),
    );
  });
});

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

test('unknown headers, query parameters and a method override change nothing', async () => {
  const headers = { 'x-http-method-override': 'DELETE', 'x-forwarded-user': 'ada' };
  const extra = { queryStringParameters: { 'x-user-id': 'ada', summary: 'Other.' } };
  const response = await startService(tables).send(anEvent({ headers, extra }));
  expect(response).toEqual(aResponse(200, aFileView({ summary: 'New.' }), etag));
});

test('a request leaves one line in the log', async () => {
  const service = startService(tables);
  await service.send(anEvent({ body: '{"summary":"Not for the log."}' }));
  expect(service.logged()).toEqual([
    {
      level: 'info',
      outcome: 'updated',
      status: 200,
      requestId: 'request-1',
      awsRequestId: 'lambda-1',
      gatewayRequestId: 'gateway-1',
      format: '2.0',
      tenantId: 'acme',
      userId: 'grace',
      keyId: 'key-1',
      spaceId: 'handbook',
      fileId: FILE_ID,
      ms: 0,
      refusals: 0,
      retries: 0,
    },
  ]);
});
