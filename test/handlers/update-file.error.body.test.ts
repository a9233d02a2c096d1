import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anEvent, aRestEvent, base64 } from '#test/support/event.ts';
import { anError, startService } from '#test/support/service.ts';
import { openTables, type Tables } from '#test/support/tables.ts';
import { putGiven } from './support/given-records.ts';
import { refuseUnchanged } from './support/refuse.ts';

let tables: Tables;
beforeAll(async () => {
  tables = await openTables('error-body');
});
beforeEach(() => putGiven(tables));

const refuse = (event: unknown) => refuseUnchanged(tables, event);
const unsupported = anError(415, 'Content-Type must be application/json', {
  'accept-patch': 'application/json, application/merge-patch+json',
});

describe('the body', () => {
  test.each([
    ['application/json ; charset="UTF-8"', 200],
    ['APPLICATION/JSON', 200],
    ['application/merge-patch+json', 200],
    ['application/json; charset=utf-16', 415],
    ['application/json; charset=utf8', 415],
    ['application/json,application/json', 415],
    ['application/vnd.api+json', 415],
    ['application/x-www-form-urlencoded', 415],
    ['json', 415],
    ['', 415],
    [`application/json;charset=utf-8${' '.repeat(226)}`, 200],
    [`application/json;charset=utf-8${' '.repeat(227)}`, 415],
  ])('of Content-Type %s is answered %i', async (contentType, status) => {
    const response = await startService(tables).send(anEvent({ headers: { 'content-type': contentType } }));
    expect(response.statusCode).toBe(status);
    if (status === 415) expect(response).toEqual(unsupported);
  });

  test.each(['gzip', 'br', 'identity, identity', 'gzip, identity', 'x'])(
    'in Content-Encoding %s is refused',
    async (encoding) => {
      expect(await refuse(anEvent({ headers: { 'content-encoding': encoding } }))).toEqual(
        anError(415, 'Content-Encoding is not supported'),
      );
    },
  );

  test.each(['identity', 'Identity', ' identity ', ''])(
    'in Content-Encoding %j is plain',
    async (encoding) => {
      const response = await startService(tables).send(
        anEvent({ headers: { 'content-encoding': encoding } }),
      );
      expect(response.statusCode).toBe(200);
    },
  );

  const padded = (bytes: number) => `{"summary":"a"}${' '.repeat(bytes - 15)}`;
  test('may have 131072 bytes and not one more, in text and in base64', async () => {
    const service = startService(tables);
    const statusOf = async (event: unknown) => (await service.send(event)).statusCode;
    expect(await statusOf(anEvent({ body: padded(131_072) }))).toBe(200);
    expect(await statusOf(anEvent({ body: base64(padded(131_072)), isBase64Encoded: true }))).toBe(200);
    const tooLarge = anError(413, 'Request body is too large');
    expect(await refuse(anEvent({ body: padded(131_073) }))).toEqual(tooLarge);
    expect(await refuse(anEvent({ body: base64(padded(131_073)), isBase64Encoded: true }))).toEqual(tooLarge);
    expect(await refuse(anEvent({ body: `{"summary":"${'é'.repeat(65_536)}"}` }))).toEqual(tooLarge);
  });

  test.each([
    ['{"summary":"a"', false],
    ["{'summary':'a'}", false],
    ['{"summary":"a"}x', false],
    ['{"summary":NaN}', false],
    ['   ', false],
    ['\ufeff{"summary":"a"}', false],
    ['undefined', false],
    ['{"summary":"a"}', true],
    ['!!!!', true],
    [base64('{"summary":"ab"}').replaceAll('=', ''), true],
    [base64(new Uint8Array([0x22, 0xed, 0xa0, 0x80, 0x22])), true],
    [base64(Buffer.from('\ufeff{"summary":"a"}', 'utf16le')), true],
  ])('%j (base64: %s) is not JSON', async (body, isBase64Encoded) => {
    expect(await refuse(anEvent({ body, isBase64Encoded }))).toEqual(
      anError(400, 'Request body is not valid JSON'),
    );
  });

  test.each(['null', '[]', '[{"summary":"a"}]', '"a"', '1', 'true'])('%s is no object', async (body) => {
    expect(await refuse(anEvent({ body }))).toEqual(anError(400, 'Request body must be a JSON object'));
  });

  test.each([anEvent({ body: undefined }), anEvent({ body: '' }), aRestEvent({ extra: { body: null } })])(
    'is required',
    async (event) => {
      expect(await refuse(event)).toEqual(anError(400, 'Request body is required'));
    },
  );
});
