import { NumberValue } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, test } from 'vitest';
import { anEvent, base64 } from '#test/support/event.ts';
import { aFile, aFileView, FIRST_VERSION } from '#test/support/given.ts';
import { anError, anUpdate, startService } from '#test/support/service.ts';
import { openTables } from '#test/support/tables.ts';

/*
 * What neither a request to the running service nor the fake tables can show. The rest of the route is in
 * test/events.test.ts, test/contract, test/access and test/input.
 */
const tables = await openTables('route');
beforeEach(tables.putGiven);

const bodyInBase64 = (bytes: number) => ({
  body: base64(`{"summary":"New."}${' '.repeat(bytes - 18)}`),
  isBase64Encoded: true,
});

test.each([
  ['a user id of 128 characters with four bytes each', { headers: { 'x-user-id': '😀'.repeat(128) } }],
  ['a body of 131072 bytes in base64', bodyInBase64(131_072)],
  ['If-Match * with spaces around it', { headers: { 'if-match': ' * ' } }],
  ['If-Match "0" for a file that was never written', { headers: { 'if-match': '"0"' } }],
])('%s is accepted, and the log names the key', async (_, overrides) => {
  const service = startService(tables);
  const response = await service.send(anEvent(overrides));
  expect(response).toEqual(anUpdate(aFileView({ summary: 'New.' }), FIRST_VERSION));
  expect(service.logged()).toMatchObject([{ outcome: 'updated', tenantId: 'acme', keyId: 'key-1' }]);
});

test('a body of 131073 bytes in base64 is rejected', async () => {
  const response = await startService(tables).send(anEvent(bodyInBase64(131_073)));
  expect(response).toEqual(anError(413, 'Request body is too large'));
});

test.each(['schlüssel', 'a\tb'])('API key %j is rejected without a look-up', async (key) => {
  const service = startService(tables);
  const response = await service.send(anEvent({ headers: { 'x-api-key': key } }));
  expect(response).toEqual(anError(401, 'Invalid API Key'));
  expect(service.logged()).toMatchObject([{ reason: 'key is malformed' }]);
});

test('a number that no double can hold does not matter, neither in a written nor in a rejected record', async () => {
  const version = FIRST_VERSION + 7;
  await tables.putFile(aFile({ version, views: NumberValue.from('12345678901234567890.5') }));
  const response = await startService(tables).send(anEvent());
  expect(response).toEqual(anUpdate(aFileView({ summary: 'New.' }), version + 1));
});
