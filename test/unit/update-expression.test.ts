import { expect, test } from 'vitest';
import type { Precondition } from '#lib/domain/file.ts';
import type { FilePatch } from '#lib/domain/file-patch.ts';
import { updateExpression } from '#lib/store/update-expression.ts';

const metadata = { version: 7, requestId: 'request-1', updatedBy: 'grace' };
const set = 'SET #version = :version, #requestId = :requestId, #updatedBy = :updatedBy';
const isNewer = 'attribute_exists(#fileId) AND (attribute_not_exists(#version) OR #version < :version)';
const none: Precondition = { kind: 'none' };
const oneOf = (...versions: readonly number[]): Precondition => ({ kind: 'versions', versions });
const never = 'attribute_not_exists(#fileId)';

test.each<[FilePatch, Precondition, string, string, object]>([
  [{ summary: '' }, none, `${set}, #summary = :summary`, isNewer, { ':summary': '' }],
  [{ summary: null }, none, `${set} REMOVE #summary`, isNewer, {}],
  [
    { summary: null },
    oneOf(5, 6),
    `${set} REMOVE #summary`,
    `${isNewer} AND #version IN (:match0, :match1)`,
    { ':match0': 5, ':match1': 6 },
  ],
  [
    { summary: null },
    oneOf(0),
    `${set} REMOVE #summary`,
    `${isNewer} AND (attribute_not_exists(#version) OR #version IN (:match0))`,
    { ':match0': 0 },
  ],
  [{ summary: null }, oneOf(), `${set} REMOVE #summary`, `${isNewer} AND ${never}`, {}],
  [{ summary: null }, { kind: 'unreadable' }, `${set} REMOVE #summary`, `${isNewer} AND ${never}`, {}],
])('patch %j with precondition %j names what was sent, and nothing else', (...row) => {
  const [patch, precondition, UpdateExpression, ConditionExpression, values] = row;
  expect(updateExpression(patch, metadata, precondition)).toEqual({
    UpdateExpression,
    ConditionExpression,
    ExpressionAttributeNames: {
      '#fileId': 'fileId',
      '#version': 'version',
      '#requestId': 'requestId',
      '#updatedBy': 'updatedBy',
      '#summary': 'summary',
    },
    ExpressionAttributeValues: { ':version': 7, ':requestId': 'request-1', ':updatedBy': 'grace', ...values },
  });
});
