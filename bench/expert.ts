/**
 * The same operation as an expert writes it for speed: one function without a framework, on the official packages, with public
 * options only. It reads the key and the space by one call. While it is loaded, `prime` makes both calls. It has no
 * idempotency and no version, so it promises less.
 */
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { ConditionalCheckFailedException, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchGetCommand, DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as z from 'zod/mini';

type Item = Readonly<Record<string, unknown>>;
const { API_KEYS_TABLE = '', SPACES_TABLE = '', FILES_TABLE = '' } = process.env;

/** The SDK's own collector uses a pipe, which keeps memory alive. */
const streamCollector = (response: Readable) =>
  new Promise<Uint8Array>((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    response.on('data', (chunk) => chunks.push(chunk));
    response.once('error', reject).once('end', () => resolve(Buffer.concat(chunks)));
  });

/** Each option that the SDK would look for in ~/.aws is set. */
const client = DynamoDBDocumentClient.from(
  new DynamoDBClient({
    maxAttempts: 3,
    retryMode: 'standard',
    defaultsMode: 'standard',
    accountIdEndpointMode: 'disabled',
    endpointDiscoveryEnabled: false,
    useDualstackEndpoint: false,
    useFipsEndpoint: false,
    authSchemePreference: async () => [],
    requestHandler: { connectionTimeout: 300, requestTimeout: 1_000 },
    streamCollector,
  }),
);

const readAccess = async (keyHash: string, tenantId: string, spaceId: string) => {
  const RequestItems = {
    [API_KEYS_TABLE]: { Keys: [{ keyHash }], ConsistentRead: true },
    [SPACES_TABLE]: { Keys: [{ tenantId, spaceId }], ConsistentRead: true },
  };
  const { Responses = {}, UnprocessedKeys = {} } = await client.send(new BatchGetCommand({ RequestItems }));
  if (Object.keys(UnprocessedKeys).length > 0) throw new Error('BatchGetItem returned UnprocessedKeys');
  return { apiKey: Responses[API_KEYS_TABLE]?.[0], space: Responses[SPACES_TABLE]?.[0] };
};

const text = (max: number) => z.optional(z.nullable(z.string().check(z.maxLength(max))));
const PatchSchema = z
  .strictObject({ summary: text(10_000), documentKind: text(256) })
  .check(z.refine((patch) => Object.keys(patch).length > 0));
type Patch = z.infer<typeof PatchSchema>;

/** Changes the fields of the patch and no others: null removes, a string sets. Gives undefined if there is no such file. */
const update = async (spaceId: string, fileId: string, patch: Patch): Promise<Item | undefined> => {
  const fields = Object.entries(patch);
  const set = fields.filter(([, value]) => value !== null);
  const remove = fields.filter(([, value]) => value === null);
  const setClause = set.length > 0 ? `SET ${set.map(([name]) => `#${name} = :${name}`).join(', ')}` : '';
  const removeClause = remove.length > 0 ? `REMOVE ${remove.map(([name]) => `#${name}`).join(', ')}` : '';
  const values = Object.fromEntries(set.map(([name, value]) => [`:${name}`, value]));
  const command = new UpdateCommand({
    TableName: FILES_TABLE,
    Key: { spaceId, fileId },
    UpdateExpression: `${setClause} ${removeClause}`,
    ConditionExpression: 'attribute_exists(fileId)',
    ExpressionAttributeNames: Object.fromEntries(fields.map(([name]) => [`#${name}`, name])),
    // DynamoDB rejects an empty map of values.
    ...(set.length > 0 && { ExpressionAttributeValues: values }),
    ReturnValues: 'ALL_NEW',
  });
  try {
    return (await client.send(command)).Attributes;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
};

const respond = (statusCode: number, body: object) => ({
  statusCode,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});
const reject = (status: number, message: string) => respond(status, { message });
const forbidden = reject(403, 'API Key does not have permission to access this resource');

const readPatch = (body = ''): Patch | undefined => {
  try {
    return PatchSchema.safeParse(JSON.parse(body)).data;
  } catch {
    return undefined;
  }
};

/** JSON has no undefined: a record without details gives the basic shape. */
const toFileView = ({ fileId: id, originalName, language, domain, ...file }: Item) => {
  const { summary = null, documentKind = null, chunksCount, charactersCount, tags = [] } = file;
  return { id, originalName, summary, language, documentKind, domain, chunksCount, charactersCount, tags };
};

const updateFile = async ({ headers, pathParameters = {}, body }: APIGatewayProxyEventV2) => {
  const patch = readPatch(body);
  if (!patch) return reject(400, 'Request body is invalid');
  const { 'x-user-id': userId, 'x-tenant-id': tenantId, 'x-api-key': key = '' } = headers;
  if (!userId || !tenantId) return reject(400, 'x-user-id and x-tenant-id are required');
  const { spaceId = '', fileId = '' } = pathParameters;
  const keyHash = createHash('sha256').update(key).digest('hex');
  const { apiKey, space } = await readAccess(keyHash, tenantId, spaceId);
  const isExpired = Date.now() >= Number(apiKey?.['expiresAt'] ?? Infinity) * 1000;
  if (!apiKey || apiKey['revokedAt'] !== undefined || isExpired) return reject(401, 'Invalid API Key');
  const roles: readonly unknown[] = Array.isArray(apiKey['roles']) ? apiKey['roles'] : [];
  const isEditor = roles.some((role) => role === 'admin' || role === 'editor');
  if (apiKey['tenantId'] !== tenantId || apiKey['scope'] !== 'PRODUCT' || !isEditor) return forbidden;
  if (!space) return reject(404, 'Space not found');
  if (space['visibility'] !== 'public' && space['ownerId'] !== userId) return forbidden;
  const file = await update(spaceId, fileId, patch);
  return file ? respond(200, toFileView(file)) : reject(404, 'File not found');
};

export const handler = (event: APIGatewayProxyEventV2) =>
  updateFile(event).catch(() => reject(500, 'Internal Server Error'));

/** Makes both calls while Lambda loads the function. Nobody has these keys, so the condition of the write fails. */
export const prime = async () => {
  await readAccess('-', '-', '-').catch(() => undefined);
  await update('-', '-', { summary: '-', documentKind: null }).catch(() => undefined);
};
