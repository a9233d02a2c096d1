import { createHash, randomUUID } from 'node:crypto';
import { BatchGetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { createClient } from '../../../lib/store/client.ts';
import { createVersionClock } from '../../../lib/store/version.ts';
import { tables } from '../shared/tables.ts';
import { fencedExpression, projectionOf } from './expressions.ts';

const client = createClient();
const nextVersion = createVersionClock(Date.now);
const ofKey = projectionOf('keyHash', 'keyId', 'tenantId', 'scope', 'roles', 'expiresAt', 'revokedAt');
const ofSpace = projectionOf('tenantId', 'spaceId', 'ownerId', 'visibility');

/** A bound: the SDK's share of our function. Our two calls in our own words, and nothing around them. */
export const handler = async ({ headers, pathParameters, body = '' }: APIGatewayProxyEventV2) => {
  const { spaceId = '', fileId = '' } = pathParameters ?? {};
  const keyHash = createHash('sha256')
    .update(headers['x-api-key'] ?? '')
    .digest('hex');
  const key = { tenantId: headers['x-tenant-id'], spaceId };
  await client.send(
    new BatchGetCommand({
      RequestItems: {
        [tables.apiKeys]: { Keys: [{ keyHash }], ConsistentRead: true, ...ofKey },
        [tables.spaces]: { Keys: [key], ConsistentRead: true, ...ofSpace },
      },
    }),
  );

  const { summary, documentKind } = JSON.parse(body);
  const stamp = {
    ':version': nextVersion(0),
    ':requestId': randomUUID(),
    ':updatedBy': headers['x-user-id'],
  };
  const { Attributes } = await client.send(
    new UpdateCommand({
      TableName: tables.files,
      Key: { spaceId, fileId },
      ...fencedExpression,
      ExpressionAttributeValues: { ...stamp, ':summary': summary, ':documentKind': documentKind },
      ReturnValues: 'ALL_NEW',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    }),
  );
  return { statusCode: 200, body: JSON.stringify(Attributes) };
};
