import { describe, expect, test } from 'vitest';
import { updateExpression } from '#lib/store/update-expression.ts';

const stamp = { version: 7, requestId: 'request-1', updatedBy: 'grace' };
const bookkeeping = 'SET #version = :version, #requestId = :requestId, #updatedBy = :updatedBy';
const names = {
  '#fileId': 'fileId',
  '#version': 'version',
  '#requestId': 'requestId',
  '#updatedBy': 'updatedBy',
};
const values = { ':version': 7, ':requestId': 'request-1', ':updatedBy': 'grace' };
const fence = 'attribute_exists(#fileId) AND (attribute_not_exists(#version) OR #version < :version)';
const summary = { '#summary': 'summary' };
const kind = { '#documentKind': 'documentKind' };

describe('the eight shapes of a patch', () => {
  test.each([
    [{ summary: 'a' }, `${bookkeeping}, #summary = :summary`, summary, { ':summary': 'a' }],
    [{ documentKind: 'b' }, `${bookkeeping}, #documentKind = :documentKind`, kind, { ':documentKind': 'b' }],
    [
      { summary: 'a', documentKind: 'b' },
      `${bookkeeping}, #summary = :summary, #documentKind = :documentKind`,
      { ...summary, ...kind },
      { ':summary': 'a', ':documentKind': 'b' },
    ],
    [{ summary: null }, `${bookkeeping} REMOVE #summary`, summary, {}],
    [{ documentKind: null }, `${bookkeeping} REMOVE #documentKind`, kind, {}],
    [
      { summary: null, documentKind: null },
      `${bookkeeping} REMOVE #summary, #documentKind`,
      { ...summary, ...kind },
      {},
    ],
    [
      { summary: 'a', documentKind: null },
      `${bookkeeping}, #summary = :summary REMOVE #documentKind`,
      { ...summary, ...kind },
      { ':summary': 'a' },
    ],
    [
      { summary: null, documentKind: 'b' },
      `${bookkeeping}, #documentKind = :documentKind REMOVE #summary`,
      { ...summary, ...kind },
      { ':documentKind': 'b' },
    ],
  ])('%j', (patch, expression, fieldNames, fieldValues) => {
    expect(updateExpression(patch, stamp, { kind: 'none' })).toEqual({
      UpdateExpression: expression,
      ConditionExpression: fence,
      ExpressionAttributeNames: { ...names, ...fieldNames },
      ExpressionAttributeValues: { ...values, ...fieldValues },
    });
  });
});

describe('If-Match in the condition', () => {
  test.each([
    [
      { kind: 'versions', versions: [5, 6] } as const,
      '#version IN (:match0, :match1)',
      { ':match0': 5, ':match1': 6 },
    ],
    [
      { kind: 'versions', versions: [0] } as const,
      '(attribute_not_exists(#version) OR #version IN (:match0))',
      { ':match0': 0 },
    ],
    [{ kind: 'versions', versions: [] } as const, 'attribute_not_exists(#fileId)', {}],
    [{ kind: 'unreadable' } as const, 'attribute_not_exists(#fileId)', {}],
  ])('%j', (precondition, condition, matches) => {
    expect(updateExpression({ summary: null }, stamp, precondition)).toEqual({
      UpdateExpression: `${bookkeeping} REMOVE #summary`,
      ConditionExpression: `${fence} AND ${condition}`,
      ExpressionAttributeNames: { ...names, ...summary },
      ExpressionAttributeValues: { ...values, ...matches },
    });
  });
});
