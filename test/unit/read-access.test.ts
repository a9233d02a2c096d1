import { expect, test } from 'vitest';
import { ApiError, InternalError } from '#lib/domain/errors.ts';
import { IncompleteResponseError, UnprocessedKeysError } from '#lib/store/retry.ts';
import { createMockStore } from '#test/support/mock-store.ts';
import { aRequestContext } from '#test/support/system.ts';

const keyHash = 'f2651e970e356ac5e72ae559a3a4ef3b181b7858285d4776904d8c36f10b69b9';
/** A strongly consistent read of these attributes of one record. */
const readOf = (key: object, ...attributes: readonly string[]) => ({
  Keys: [key],
  ConsistentRead: true,
  ProjectionExpression: attributes.map((name) => `#${name}`).join(', '),
  ExpressionAttributeNames: Object.fromEntries(attributes.map((name) => [`#${name}`, name])),
});
const ofKey = ['keyHash', 'keyId', 'tenantId', 'scope', 'roles', 'expiresAt', 'revokedAt'];
const keyRead = readOf({ keyHash }, ...ofKey);
const readOfSpace = (spaceId: string) =>
  readOf({ tenantId: 'acme', spaceId }, 'tenantId', 'spaceId', 'ownerId', 'visibility');
const spaceRead = readOfSpace('handbook');
const bothReads = { RequestItems: { Keys: keyRead, Spaces: spaceRead } };
const apiKey = { keyHash, keyId: 'key-1', tenantId: 'acme', scope: 'PRODUCT', roles: ['editor'] };
const space = { tenantId: 'acme', spaceId: 'handbook', ownerId: 'ada', visibility: 'public' };
const found = { Responses: { Keys: [apiKey], Spaces: [space] } };

/** Reads access from a table that gives these responses in turn, the last one again and again. */
const read = async (responses: readonly object[], spaceId = 'handbook') => {
  const { inputs, readAccess } = createMockStore(responses);
  const context = aRequestContext();
  const query = { apiKey: 'editor-key', tenantId: 'acme', spaceId };
  const access = await readAccess(query, context).catch((error: unknown) => error);
  return { access, inputs, retries: context.logFields.retries };
};

test('reads the attributes that decide access by one strongly consistent BatchGetItem', async () => {
  expect(await read([found])).toEqual({ access: { apiKey, space }, inputs: [bothReads], retries: 0 });
});

test.each([
  ['', false],
  ['\ud800', false],
  ['s'.repeat(1024), true],
  ['s'.repeat(1025), false],
  ['é'.repeat(513), false],
])('does not request a space id that no table could hold (%#)', async (spaceId, isRead) => {
  const { access, inputs } = await read([{ Responses: { Keys: [apiKey] } }], spaceId);
  expect(access).toEqual({ apiKey, space: undefined });
  const spaces = isRead && { Spaces: readOfSpace(spaceId) };
  expect(inputs).toEqual([{ RequestItems: { Keys: keyRead, ...spaces } }]);
});

test.each([
  [new IncompleteResponseError('BatchGetItem without Responses'), {}],
  [
    new UnprocessedKeysError('BatchGetItem with UnprocessedKeys'),
    { Responses: { Keys: [apiKey] }, UnprocessedKeys: { Spaces: spaceRead } },
  ],
])('requests both records again after %s', async (cause, response) => {
  expect(await read([response, found])).toEqual({
    access: { apiKey, space },
    inputs: [bothReads, bothReads],
    retries: 1,
  });
  const { access } = await read([response]);
  expect(access).toEqual(new ApiError('unavailable', { reason: 'retry budget used up', cause }));
});

const foreign = 'access read: the response holds a record that was not requested';
test.each<[object, ...ConstructorParameters<typeof InternalError>]>([
  [{ Keys: [{ ...apiKey, keyHash: 'other' }] }, foreign],
  [{ Spaces: [{ ...space, tenantId: 'globex' }] }, foreign],
  [{ Spaces: [{ ...space, spaceId: 'other' }] }, foreign],
  [
    { Keys: [{ ...apiKey, scope: 7 }] },
    'API key record does not fit: scope: invalid_type',
    { keyId: 'key-1' },
  ],
  [{ Keys: [{ ...apiKey, keyId: 7 }] }, 'API key record does not fit: keyId: invalid_type'],
  [{ Spaces: [{ ...space, tenantId: 7 }] }, 'space record does not fit: tenantId: invalid_type'],
])('throws an InternalError for another record or a corrupted one (%#)', async (Responses, ...error) => {
  expect((await read([{ Responses }])).access).toEqual(new InternalError(...error));
});
