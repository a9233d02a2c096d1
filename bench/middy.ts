/**
 * What a user would write: middy with the middlewares of its documentation, and the SDK with its default settings. Two
 * reads, one after the other, and a conditional write. Without idempotency, and without a connection before the first
 * request.
 */
import { createHash } from 'node:crypto';
import { ConditionalCheckFailedException, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import middy from '@middy/core';
import httpErrorHandler from '@middy/http-error-handler';
import httpHeaderNormalizer from '@middy/http-header-normalizer';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import { createError } from '@middy/util';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { z } from 'zod';

const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));
const { API_KEYS_TABLE, SPACES_TABLE, FILES_TABLE } = process.env;

const PatchSchema = z
  .strictObject({
    summary: z.string().max(10_000).nullable().optional(),
    documentKind: z.string().max(256).nullable().optional(),
  })
  .refine((patch) => Object.keys(patch).length > 0);
type Patch = z.infer<typeof PatchSchema>;

const reject = (status: number, message: string) => createError(status, JSON.stringify({ message }));

const read = async (TableName: string | undefined, Key: Record<string, string>) =>
  (await client.send(new GetCommand({ TableName, Key, ConsistentRead: true }))).Item;

/** Changes the fields of the patch and no others: null removes, a string sets. */
const write = async (Key: Record<string, string>, patch: Patch) => {
  const fields = Object.entries(patch);
  const set = fields.filter(([, value]) => value !== null);
  const remove = fields.filter(([, value]) => value === null);
  const setClause = set.length > 0 ? `SET ${set.map(([name]) => `#${name} = :${name}`).join(', ')}` : '';
  const removeClause = remove.length > 0 ? `REMOVE ${remove.map(([name]) => `#${name}`).join(', ')}` : '';
  const values = Object.fromEntries(set.map(([name, value]) => [`:${name}`, value]));
  const command = new UpdateCommand({
    TableName: FILES_TABLE,
    Key,
    UpdateExpression: `${setClause} ${removeClause}`,
    ConditionExpression: 'attribute_exists(fileId)',
    ExpressionAttributeNames: Object.fromEntries(fields.map(([name]) => [`#${name}`, name])),
    ...(set.length > 0 && { ExpressionAttributeValues: values }),
    ReturnValues: 'ALL_NEW',
  });
  try {
    return (await client.send(command)).Attributes ?? {};
  } catch (error) {
    throw error instanceof ConditionalCheckFailedException ? reject(404, 'File not found') : error;
  }
};

const updateFile = async ({ headers, pathParameters, body: json }: APIGatewayProxyEventV2) => {
  const { success, data: patch } = PatchSchema.safeParse(json);
  if (!success) throw reject(400, 'Request body is invalid');
  const { 'x-user-id': userId, 'x-tenant-id': tenantId, 'x-api-key': key = '' } = headers;
  if (!userId || !tenantId) throw reject(400, 'x-user-id and x-tenant-id are required');
  const { spaceId = '', fileId = '' } = pathParameters ?? {};
  const apiKey = await read(API_KEYS_TABLE, { keyHash: createHash('sha256').update(key).digest('hex') });
  if (!apiKey || apiKey['revokedAt'] || Date.now() >= (apiKey['expiresAt'] ?? Infinity) * 1000)
    throw reject(401, 'Invalid API Key');
  const roles: readonly unknown[] = apiKey['roles'] ?? [];
  const isEditor = roles.some((role) => role === 'admin' || role === 'editor');
  if (apiKey['tenantId'] !== tenantId || apiKey['scope'] !== 'PRODUCT' || !isEditor)
    throw reject(403, 'API Key does not have permission to access this resource');
  const space = await read(SPACES_TABLE, { tenantId, spaceId });
  if (!space) throw reject(404, 'Space not found');
  if (space['visibility'] !== 'public' && space['ownerId'] !== userId)
    throw reject(403, 'API Key does not have permission to access this resource');
  const { fileId: id, originalName, language, domain, ...file } = await write({ spaceId, fileId }, patch);
  const { summary = null, documentKind = null, chunksCount, charactersCount, tags = [] } = file;
  const view = { id, originalName, summary, language, documentKind, domain };
  return {
    statusCode: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...view, chunksCount, charactersCount, tags }),
  };
};

export const handler = middy<APIGatewayProxyEventV2>()
  .use(httpHeaderNormalizer())
  .use(httpErrorHandler())
  .use(httpJsonBodyParser())
  .handler(updateFile);
