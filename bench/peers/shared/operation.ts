/** The operation as a plain handler does it. The peers differ in how they read requests and how they reach DynamoDB. */
import { createHash } from 'node:crypto';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';

/** Records as stored. Peers trust them, as the documentation of the packages does. */
type ApiKeyRecord = {
  readonly tenantId: string;
  readonly scope: string;
  readonly roles: readonly string[];
  readonly expiresAt?: number | undefined;
  readonly revokedAt?: unknown;
};
type SpaceRecord = { readonly ownerId?: unknown; readonly visibility?: unknown };
type FileRecord = Readonly<Record<string, unknown>>;

/** The fields to change: a string sets, null removes, an absent field stays as it is. */
type FilePatch = { summary?: string | null | undefined; documentKind?: string | null | undefined };
type WithHeader = { readonly header: (name: string) => string | null | undefined };
type FileUpdate = { readonly spaceId: string; readonly fileId: string; readonly patch: FilePatch };

/** The three calls to DynamoDB. A call gives undefined where there is no such record. */
type Store = {
  readonly readApiKey: (keyHash: string) => Promise<ApiKeyRecord | undefined>;
  readonly readSpace: (key: { tenantId: string; spaceId: string }) => Promise<SpaceRecord | undefined>;
  /** Gives the file after the write. */
  readonly updateFile: (update: FileUpdate) => Promise<FileRecord | undefined>;
};

/** The names of the three tables. */
const { API_KEYS_TABLE = '', SPACES_TABLE = '', FILES_TABLE = '' } = process.env;
export const tables = { apiKeys: API_KEYS_TABLE, spaces: SPACES_TABLE, files: FILES_TABLE };

/** A store on the GetItem and the UpdateItem of any client; `update` gives undefined if the condition failed. */
export const storeOn = (
  get: (input: { TableName: string; Key: Record<string, string> }) => Promise<unknown>,
  update: (input: ReturnType<typeof updateInput>) => Promise<unknown>,
): Store => ({
  readApiKey: async (keyHash) =>
    (await get({ TableName: tables.apiKeys, Key: { keyHash } })) as ApiKeyRecord | undefined,
  readSpace: async (Key) => (await get({ TableName: tables.spaces, Key })) as SpaceRecord | undefined,
  updateFile: async (fileUpdate) => (await update(updateInput(fileUpdate))) as FileRecord | undefined,
});

/** An UpdateItem that changes the fields of the patch and no others. */
const updateInput = ({ spaceId, fileId, patch }: FileUpdate) => {
  const fields = Object.entries(patch);
  const set = fields.filter(([, value]) => value !== null);
  const remove = fields.filter(([, value]) => value === null);
  const setClause = set.length > 0 ? `SET ${set.map(([name]) => `#${name} = :${name}`).join(', ')}` : '';
  const removeClause = remove.length > 0 ? `REMOVE ${remove.map(([name]) => `#${name}`).join(', ')}` : '';
  return {
    TableName: tables.files,
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
type Reply = { readonly status: number; readonly body: object };

const reject = (status: number, message: string): Reply => ({ status, body: { message } });
export const badRequest = (message: string) => reject(400, message);
export const notJson = badRequest('Request body is not valid JSON');
const invalidKey = reject(401, 'Invalid API Key');
const forbidden = reject(403, 'API Key does not have permission to access this resource');

const rejectionOfKey = (apiKey: ApiKeyRecord | undefined, tenantId: string): Reply | undefined => {
  if (!apiKey || apiKey.revokedAt !== undefined) return invalidKey;
  if (apiKey.expiresAt !== undefined && Date.now() >= apiKey.expiresAt * 1000) return invalidKey;
  if (apiKey.tenantId !== tenantId || apiKey.scope !== 'PRODUCT') return forbidden;
  return apiKey.roles.some((role) => role === 'admin' || role === 'editor') ? undefined : forbidden;
};

/** The file as a client sees it. JSON has no undefined: a record without details gives the basic shape. */
const toFileView = ({ fileId: id, originalName, language, domain, ...file }: FileRecord) => {
  const { summary = null, documentKind = null, chunksCount, charactersCount, tags = [] } = file;
  return { id, originalName, summary, language, documentKind, domain, chunksCount, charactersCount, tags };
};

/** What every peer does once its framework has read the request: checks API key and space, and updates the file. */
export const updateOn =
  ({ readApiKey, readSpace, updateFile }: Store) =>
  async ({ header, ...update }: FileUpdate & WithHeader): Promise<Reply> => {
    const [userId, tenantId, apiKey] = ['x-user-id', 'x-tenant-id', 'x-api-key'].map(header);
    if (!userId) return badRequest('x-user-id is required');
    if (!tenantId) return badRequest('x-tenant-id is required');
    if (!apiKey) return invalidKey;
    const keyHash = createHash('sha256').update(apiKey).digest('hex');
    const [apiKeyRecord, space] = await Promise.all([
      readApiKey(keyHash),
      readSpace({ tenantId, spaceId: update.spaceId }),
    ]);
    const rejection = rejectionOfKey(apiKeyRecord, tenantId);
    if (rejection) return rejection;
    if (!space) return reject(404, 'Space not found');
    if (space.visibility !== 'public' && space.ownerId !== userId) return forbidden;
    const file = await updateFile(update);
    return file ? { status: 200, body: toFileView(file) } : reject(404, 'File not found');
  };

/** The most characters of each field that a client may change. */
export const limits = { summary: 10_000, documentKind: 256 };
const readOnly = ['id', 'originalName', 'language', 'domain', 'chunksCount', 'charactersCount', 'tags'];

/** The messages of a body that is rejected. */
export const messages = {
  notAnObject: 'Request body must be a JSON object',
  empty: 'At least one of summary, documentKind must be provided',
  type: (field: string) => `${field} must be a string or null`,
  length: (field: string, max: number) => `${field} must be at most ${max} characters`,
  field: (name: string) =>
    readOnly.includes(name)
      ? `Field "${name}" is not editable`
      : `Unknown field "${name}"; editable fields are summary, documentKind`,
};

const problemOf = (name: string, value: unknown): string | undefined => {
  if (name !== 'summary' && name !== 'documentKind') return messages.field(name);
  if (value === null) return undefined;
  if (typeof value !== 'string') return messages.type(name);
  return value.length > limits[name] ? messages.length(name, limits[name]) : undefined;
};

/** Reads a body without a validation package. */
const parsePatch = (body: string | undefined): FilePatch | Reply => {
  if (!body) return badRequest('Request body is required');
  let patch: unknown;
  try {
    patch = JSON.parse(body);
  } catch {
    return notJson;
  }
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch))
    return badRequest(messages.notAnObject);
  const fields = Object.entries(patch);
  if (fields.length === 0) return badRequest(messages.empty);
  const problems = fields.flatMap(([name, value]) => problemOf(name, value) ?? []);
  return problems.length > 0 ? badRequest(problems.join('; ')) : patch;
};

/** One async function on a store, without any framework. */
export const plainHandler = (store: Store) => {
  const respond = async ({ headers, pathParameters, body }: APIGatewayProxyEventV2): Promise<Reply> => {
    const { spaceId = '', fileId = '' } = pathParameters ?? {};
    const patch = parsePatch(body);
    if ('status' in patch) return patch;
    return updateOn(store)({ header: (name) => headers[name], spaceId, fileId, patch });
  };
  return async (event: APIGatewayProxyEventV2) => {
    const { status, body } = await respond(event).catch(() => reject(500, 'Internal Server Error'));
    const headers = { 'content-type': 'application/json' };
    return { statusCode: status, headers, body: JSON.stringify(body) };
  };
};
