import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anEvent, aRestEvent, base64 } from '#test/support/event.ts';
import { aFile, anApiKey, aSpace, FILE_ID, FIRST_VERSION } from '#test/support/given.ts';
import { anError, startService } from '#test/support/service.ts';
import { openTables, type Tables } from '#test/support/tables.ts';

let tables: Tables;
beforeAll(async () => {
  tables = await openTables('error');
  await tables.putApiKey(anApiKey());
  await tables.putSpace(aSpace());
});
beforeEach(() => tables.putFile(aFile()));

/** Sends an event that must be refused, and shows that no item of any table has changed. */
const refuse = async (event: unknown) => {
  const before = await tables.everything();
  const service = startService(tables);
  const response = await service.send(event);
  expect(await tables.everything()).toEqual(before);
  expect(service.logged()).toHaveLength(1);
  return response;
};
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

describe('a problem later in the order of checks is not told before an earlier one', () => {
  const allWrong = {
    headers: {
      'x-user-id': undefined,
      'x-tenant-id': undefined,
      'x-api-key': 'unknown',
      'content-type': undefined,
      'content-encoding': 'gzip',
      'if-match': 'x',
    },
    spaceId: 'unknown',
    fileId: 'unknown',
    body: undefined,
  };
  const repairs: readonly [string, Record<string, string | undefined>][] = [
    ['x-user-id is required', { 'x-user-id': 'a,b' }],
    ['x-user-id is invalid', { 'x-user-id': 'grace' }],
    ['x-tenant-id is required', { 'x-tenant-id': 'a b' }],
    ['x-tenant-id is invalid', { 'x-tenant-id': 'acme' }],
    ['Invalid API Key', { 'x-api-key': 'viewer-key' }],
    ['API Key does not have permission to access this resource', { 'x-api-key': 'editor-key' }],
    ['Content-Type must be application/json', { 'content-type': 'application/json' }],
    ['Content-Encoding is not supported', { 'content-encoding': undefined }],
    ['Request body is required', { body: '{' }],
    ['Request body is not valid JSON', { body: '{}' }],
    ['At least one of summary, documentKind must be provided', { body: '{"summary":"a"}' }],
    ['Space not found', { spaceId: 'handbook' }],
    ['File not found', { fileId: FILE_ID }],
    ['If-Match is invalid', { 'if-match': '"5"' }],
    ['File was changed by another request', {}],
  ];

  test('each repair brings the next message', async () => {
    await tables.putApiKey(anApiKey({ key: 'viewer-key', roles: ['viewer'] }));
    const told: string[] = [];
    let request: { headers: Record<string, string | undefined>; [part: string]: unknown } = allWrong;
    for (const [, repair] of repairs) {
      told.push(JSON.parse((await refuse(anEvent(request))).body).message);
      const { body, spaceId, fileId, ...headers } = repair;
      const parts = Object.fromEntries(Object.entries({ body, spaceId, fileId }).filter(([, part]) => part));
      request = { ...request, ...parts, headers: { ...request.headers, ...headers } };
    }
    expect(told).toEqual(repairs.map(([message]) => message));
  });
});

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

test('with too little time left nothing is begun', async () => {
  const before = await tables.everything();
  const service = startService(tables, { remainingMs: 500 });
  expect(await service.send(anEvent())).toEqual(anError(503, 'Service Unavailable', { 'retry-after': '1' }));
  expect(await tables.everything()).toEqual(before);
  expect(service.logged()).toMatchObject([
    { level: 'error', outcome: 'unavailable', reason: 'deadline passed' },
  ]);
});

describe('what is not a PATCH request of API Gateway is refused and never throws', () => {
  test.each([
    undefined,
    null,
    {},
    [],
    'ping',
    7,
    { source: 'aws.events', 'detail-type': 'Scheduled Event' },
    { Records: [{ body: '{}' }] },
    anEvent({ extra: { version: '3.0' } }),
    anEvent({ extra: { headers: null } }),
    anEvent({ extra: { headers: 'x-user-id: grace' } }),
    anEvent({ extra: { headers: { 'x-user-id': 7 } } }),
    anEvent({ extra: { body: { summary: 'a' } } }),
    anEvent({ extra: { requestContext: { http: { method: 'GET' } } } }),
    aRestEvent({ extra: { httpMethod: 'DELETE' } }),
    aRestEvent({ extra: { multiValueHeaders: { 'x-user-id': 'grace' } } }),
  ])('%j', async (event) => {
    expect(await refuse(event)).toEqual(anError(400, 'x-user-id is required'));
  });

  test('an event without path parameters names no space', async () => {
    expect(await refuse(anEvent({ extra: { pathParameters: null } }))).toEqual(
      anError(404, 'Space not found'),
    );
  });
});
