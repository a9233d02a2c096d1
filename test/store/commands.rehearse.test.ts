import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { mockStore } from './support/mocked-store.ts';

const { table, rehearseWrite, inputs } = mockStore();

test('no item meets the condition of a rehearsed write, were it ever sent', async () => {
  table.on(UpdateCommand).rejects(new Error('aborted'));
  await expect(rehearseWrite({ summary: '-' })).rejects.toThrow('aborted');
  expect(inputs()).toEqual([
    {
      TableName: 'Files',
      Key: { spaceId: '-', fileId: '-' },
      UpdateExpression:
        'SET #version = :version, #requestId = :requestId, #updatedBy = :updatedBy, #summary = :summary',
      ConditionExpression:
        'attribute_exists(#fileId) AND (attribute_not_exists(#version) OR #version < :version) AND ' +
        'attribute_not_exists(#fileId)',
      ExpressionAttributeNames: {
        '#fileId': 'fileId',
        '#version': 'version',
        '#requestId': 'requestId',
        '#updatedBy': 'updatedBy',
        '#summary': 'summary',
      },
      ExpressionAttributeValues: {
        ':version': 0,
        ':requestId': '-',
        ':updatedBy': '-',
        ':summary': '-',
      },
      ReturnValues: 'ALL_NEW',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  ]);
});
