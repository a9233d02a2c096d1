import { expect, test } from 'vitest';
import type { Precondition } from '#lib/domain/file.ts';
import { fileKey, hashApiKey, isStorable, spaceKey } from '#lib/store/keys.ts';
import { updateExpression } from '#lib/store/update-expression.ts';

const metadata = { version: 7, requestId: 'request-1', updatedBy: 'grace' };
const setMetadata = 'SET #version = :version, #requestId = :requestId, #updatedBy = :updatedBy';
const names = {
  '#fileId': 'fileId',
  '#version': 'version',
  '#requestId': 'requestId',
  '#updatedBy': 'updatedBy',
};
const values = { ':version': 7, ':requestId': 'request-1', ':updatedBy': 'grace' };
const isNewer = 'attribute_exists(#fileId) AND (attribute_not_exists(#version) OR #version < :version)';
const summary = { '#summary': 'summary' };
const kind = { '#documentKind': 'documentKind' };

test.each([
  [{ summary: 'a' }, ', #summary = :summary', summary, { ':summary': 'a' }],
  [{ documentKind: '' }, ', #documentKind = :documentKind', kind, { ':documentKind': '' }],
  [
    { summary: 'a', documentKind: 'b' },
    ', #summary = :summary, #documentKind = :documentKind',
    { ...summary, ...kind },
    { ':summary': 'a', ':documentKind': 'b' },
  ],
  [{ summary: null }, ' REMOVE #summary', summary, {}],
  [{ documentKind: null }, ' REMOVE #documentKind', kind, {}],
  [{ summary: null, documentKind: null }, ' REMOVE #summary, #documentKind', { ...summary, ...kind }, {}],
  [
    { summary: 'a', documentKind: null },
    ', #summary = :summary REMOVE #documentKind',
    { ...summary, ...kind },
    { ':summary': 'a' },
  ],
  [
    { summary: null, documentKind: 'b' },
    ', #documentKind = :documentKind REMOVE #summary',
    { ...summary, ...kind },
    { ':documentKind': 'b' },
  ],
])('patch %j sets, removes and names what was sent', (patch, changes, fieldNames, fieldValues) => {
  expect(updateExpression(patch, metadata, { kind: 'none' })).toEqual({
    UpdateExpression: `${setMetadata}${changes}`,
    ConditionExpression: isNewer,
    ExpressionAttributeNames: { ...names, ...fieldNames },
    ExpressionAttributeValues: { ...values, ...fieldValues },
  });
});

test.each<[Precondition, string, object]>([
  [{ kind: 'versions', versions: [5, 6] }, '#version IN (:match0, :match1)', { ':match0': 5, ':match1': 6 }],
  [
    { kind: 'versions', versions: [0] },
    '(attribute_not_exists(#version) OR #version IN (:match0))',
    { ':match0': 0 },
  ],
  [{ kind: 'versions', versions: [] }, 'attribute_not_exists(#fileId)', {}],
  [{ kind: 'unreadable' }, 'attribute_not_exists(#fileId)', {}],
])('precondition %j becomes a condition', (precondition, condition, matchValues) => {
  expect(updateExpression({ summary: null }, metadata, precondition)).toEqual({
    UpdateExpression: `${setMetadata} REMOVE #summary`,
    ConditionExpression: `${isNewer} AND ${condition}`,
    ExpressionAttributeNames: { ...names, ...summary },
    ExpressionAttributeValues: { ...values, ...matchValues },
  });
});

test.each([
  ['', false],
  ['a', true],
  ['a'.repeat(1024), true],
  ['a'.repeat(1025), false],
  ['é'.repeat(512), true],
  ['é'.repeat(513), false],
  ['\ud800', false],
])('DynamoDB can store key %.20j: %s', (id, storable) => {
  expect(isStorable(id)).toBe(storable);
});

test('keys are plain attributes, and an API key is stored by its hash', () => {
  expect([
    spaceKey({ tenantId: 'acme', spaceId: 'handbook' }),
    fileKey({ spaceId: 'handbook', fileId: 'f' }),
    hashApiKey('abc'),
  ]).toEqual([
    { tenantId: 'acme', spaceId: 'handbook' },
    { spaceId: 'handbook', fileId: 'f' },
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  ]);
});
