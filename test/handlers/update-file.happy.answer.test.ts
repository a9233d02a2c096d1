import { NumberValue } from '@aws-sdk/lib-dynamodb';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anEvent, aRestEvent, base64 } from '#test/support/event.ts';
import { aBasicFile, aFile, aFileView, FILE_ID, FIRST_VERSION } from '#test/support/given.ts';
import { aResponse, startService } from '#test/support/service.ts';
import { openTables, type Tables } from '#test/support/tables.ts';
import { putGiven } from './support/given-records.ts';

let tables: Tables;
beforeAll(async () => {
  tables = await openTables('happy-answer');
});
beforeEach(() => putGiven(tables));

const etag = { etag: `"${FIRST_VERSION}"` };

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
