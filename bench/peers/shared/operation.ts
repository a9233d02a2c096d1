/** The operation as an expert writes it. The peers differ in their framework, their client and how they read. */
import { createHash } from 'node:crypto';
import type { Patch } from './patch.ts';

type Item = Readonly<Record<string, unknown>>;

const { API_KEYS_TABLE = '', SPACES_TABLE = '', FILES_TABLE = '' } = process.env;

/** Where the API key and the space of a request are stored. */
const toAccessReads = (keyHash: string, tenantId: string, spaceId: string) => ({
  apiKey: { TableName: API_KEYS_TABLE, Key: { keyHash }, ConsistentRead: true },
  space: { TableName: SPACES_TABLE, Key: { tenantId, spaceId }, ConsistentRead: true },
});
type AccessReads = ReturnType<typeof toAccessReads>;

/** The calls to DynamoDB, in plain values. */
export type Calls = {
  readonly readAccess: (
    reads: AccessReads,
  ) => Promise<Partial<Readonly<Record<keyof AccessReads, Item | undefined>>>>;
  /** Gives the file after the write, or undefined if the condition failed. */
  readonly update: (input: ReturnType<typeof toUpdateInput>) => Promise<Item | undefined>;
};

const toBatchInput = ({ apiKey, space }: AccessReads) => ({
  RequestItems: {
    [apiKey.TableName]: { Keys: [apiKey.Key], ConsistentRead: apiKey.ConsistentRead },
    [space.TableName]: { Keys: [space.Key], ConsistentRead: space.ConsistentRead },
  },
});
type BatchOutput = {
  readonly Responses?: Record<string, Item[]> | undefined;
  readonly UnprocessedKeys?: object | undefined;
};

/** Reads API key and space in one BatchGetItem. */
export const readTogether =
  (batchGet: (input: ReturnType<typeof toBatchInput>) => Promise<BatchOutput>): Calls['readAccess'] =>
  async (reads) => {
    const { Responses = {}, UnprocessedKeys = {} } = await batchGet(toBatchInput(reads));
    if (Object.keys(UnprocessedKeys).length > 0) throw new Error('BatchGetItem returned UnprocessedKeys');
    return {
      apiKey: Responses[reads.apiKey.TableName]?.[0],
      space: Responses[reads.space.TableName]?.[0],
    };
  };

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

/** A status and the body as JSON. */
export type Reply = { readonly status: number; readonly body: object };

export const reject = (status: number, message: string): Reply => ({ status, body: { message } });
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
  ({ readAccess, update }: Calls) =>
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
    const { apiKey: found, space } = await readAccess(toAccessReads(keyHash, tenantId, spaceId));
    const rejection = rejectionOfKey(found, tenantId);
    if (rejection) return rejection;
    if (!space) return reject(404, 'Space not found');
    if (space['visibility'] !== 'public' && space['ownerId'] !== userId) return forbidden;
    const file = await update(toUpdateInput(spaceId, fileId, patch));
    return file ? { status: 200, body: toFileView(file) } : reject(404, 'File not found');
  };

/** Makes both calls while Lambda loads the function. Nobody has these keys, so the condition of the write fails. */
export const createPrime =
  ({ readAccess, update }: Calls) =>
  async () => {
    await readAccess(toAccessReads('-', '-', '-')).catch(() => undefined);
    await update(toUpdateInput('-', '-', { summary: '-', documentKind: null })).catch(() => undefined);
  };
