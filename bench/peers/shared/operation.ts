/** The operation as an expert writes it, in two calls to DynamoDB. The peers differ in their framework and client. */
import { createHash } from 'node:crypto';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as z from 'zod/mini';

type Item = Readonly<Record<string, unknown>>;

/** The two calls to DynamoDB, in plain values. */
export type Calls = {
  readonly batchGet: (
    input: ReturnType<typeof toAccessInput>,
  ) => Promise<{ Responses?: Record<string, Item[]> | undefined; UnprocessedKeys?: object | undefined }>;
  /** Gives the file after the write, or undefined if the condition failed. */
  readonly update: (input: ReturnType<typeof toUpdateInput>) => Promise<Item | undefined>;
};

const { API_KEYS_TABLE = '', SPACES_TABLE = '', FILES_TABLE = '' } = process.env;

/** Key and space in one BatchGetItem. */
const toAccessInput = (keyHash: string, tenantId: string, spaceId: string) => ({
  RequestItems: {
    [API_KEYS_TABLE]: { Keys: [{ keyHash }], ConsistentRead: true },
    [SPACES_TABLE]: { Keys: [{ tenantId, spaceId }], ConsistentRead: true },
  },
});

/** An UpdateItem that changes the fields of the patch and no others: null removes, a string sets. */
const toUpdateInput = (spaceId: string, fileId: string, patch: Patch) => {
  const fields = Object.entries(patch);
  const set = fields.filter(([, value]) => value !== null);
  const remove = fields.filter(([, value]) => value === null);
  const setClause = set.length > 0 ? `SET ${set.map(([name]) => `#${name} = :${name}`).join(', ')}` : '';
  const removeClause = remove.length > 0 ? `REMOVE ${remove.map(([name]) => `#${name}`).join(', ')}` : '';
  return {
    TableName: FILES_TABLE,
    Key: { spaceId, fileId },
    UpdateExpression: `${setClause} ${removeClause}`,
    ConditionExpression: 'attribute_exists(fileId)',
    ExpressionAttributeNames: Object.fromEntries(fields.map(([name]) => [`#${name}`, name])),
    // DynamoDB rejects an empty map of values.
    ...(set.length > 0 && {
      ExpressionAttributeValues: Object.fromEntries(set.map(([name, value]) => [`:${name}`, value])),
    }),
    ReturnValues: 'ALL_NEW' as const,
  };
};

const text = (max: number) => z.optional(z.nullable(z.string().check(z.maxLength(max))));
/** The body of a request. */
export const PatchSchema = z
  .strictObject({ summary: text(10_000), documentKind: text(256) })
  .check(z.refine((patch) => Object.keys(patch).length > 0));
type Patch = z.infer<typeof PatchSchema>;

/** A status and the body as JSON. */
type Reply = { readonly status: number; readonly body: object };

const reject = (status: number, message: string): Reply => ({ status, body: { message } });
export const invalidBody = reject(400, 'Request body is invalid');
const invalidKey = reject(401, 'Invalid API Key');
const forbidden = reject(403, 'API Key does not have permission to access this resource');

const rejectionOfKey = (apiKey: Item | undefined, tenantId: string): Reply | undefined => {
  if (!apiKey || apiKey['revokedAt'] !== undefined) return invalidKey;
  if (Date.now() >= Number(apiKey['expiresAt'] ?? Infinity) * 1000) return invalidKey;
  if (apiKey['tenantId'] !== tenantId || apiKey['scope'] !== 'PRODUCT') return forbidden;
  const isEditor = Object(apiKey['roles']).some((role: unknown) => role === 'admin' || role === 'editor');
  return isEditor ? undefined : forbidden;
};

/** The file as a client sees it. JSON has no undefined: a record without details gives the basic shape. */
const toFileView = ({ fileId: id, originalName, language, domain, ...file }: Item) => {
  const { summary = null, documentKind = null, chunksCount, charactersCount, tags = [] } = file;
  return { id, originalName, summary, language, documentKind, domain, chunksCount, charactersCount, tags };
};

/** What every peer does once it has read the request: checks API key and space, and updates the file. */
export const createUpdate =
  ({ batchGet, update }: Calls) =>
  async ({
    header,
    spaceId = '',
    fileId = '',
    patch,
  }: {
    readonly header: (name: string) => string | null | undefined;
    readonly spaceId?: string | undefined;
    readonly fileId?: string | undefined;
    readonly patch: Patch;
  }): Promise<Reply> => {
    const [userId, tenantId, apiKey] = ['x-user-id', 'x-tenant-id', 'x-api-key'].map(header);
    if (!userId) return reject(400, 'x-user-id is required');
    if (!tenantId) return reject(400, 'x-tenant-id is required');
    if (!apiKey) return invalidKey;
    const keyHash = createHash('sha256').update(apiKey).digest('hex');
    const { Responses = {}, UnprocessedKeys = {} } = await batchGet(
      toAccessInput(keyHash, tenantId, spaceId),
    );
    if (Object.keys(UnprocessedKeys).length > 0) throw new Error('BatchGetItem returned UnprocessedKeys');
    const rejection = rejectionOfKey(Responses[API_KEYS_TABLE]?.[0], tenantId);
    if (rejection) return rejection;
    const space = Responses[SPACES_TABLE]?.[0];
    if (!space) return reject(404, 'Space not found');
    if (space['visibility'] !== 'public' && space['ownerId'] !== userId) return forbidden;
    const file = await update(toUpdateInput(spaceId, fileId, patch));
    return file ? { status: 200, body: toFileView(file) } : reject(404, 'File not found');
  };

/** One async function, without a framework. */
export const createHandler = (calls: Calls) => {
  const updateFile = createUpdate(calls);
  const respond = async ({ headers, pathParameters, body = '' }: APIGatewayProxyEventV2): Promise<Reply> => {
    let json: unknown;
    try {
      json = JSON.parse(body);
    } catch {
      return invalidBody;
    }
    const { success, data: patch } = PatchSchema.safeParse(json);
    if (!success) return invalidBody;
    return updateFile({ ...pathParameters, header: (name) => headers[name], patch });
  };
  return async (event: APIGatewayProxyEventV2) => {
    const { status, body } = await respond(event).catch(() => reject(500, 'Internal Server Error'));
    return {
      statusCode: status,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    };
  };
};

/** Makes both calls while Lambda loads the function. Nobody has these keys, so the condition of the write fails. */
export const createPrime =
  ({ batchGet, update }: Calls) =>
  async () => {
    await batchGet(toAccessInput('-', '-', '-')).catch(() => undefined);
    await update(toUpdateInput('-', '-', { summary: '-', documentKind: null })).catch(() => undefined);
  };
