import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { transformSync } from 'esbuild';
import * as z from 'zod';
import { ApiKeyRecordSchema, hashApiKey, MAX_EPOCH_SECONDS, roles } from '#lib/domain/api-key.ts';
import { FileIdentitySchema, FileRecordSchema, toFileView } from '#lib/domain/file.ts';
import { SpaceRecordSchema } from '#lib/domain/space.ts';
import * as headers from '#lib/http/request-headers.ts';
import { isStorableId } from '#lib/store/storable-id.ts';
import { reasonOf, UsageError } from '#tools/cli.ts';
import demo from './demo-data.json' with { type: 'json' };
import { isLocal, type TableNames } from './environment.ts';

type Item = Record<string, unknown>;
/** A record as it is stored, in its table under its key. */
type Entry = { table: keyof TableNames; key: Item; item: Item };

const toEntry = (table: Entry['table'], item: Item, ...keyNames: readonly string[]): Entry => ({
  table,
  item,
  key: Object.fromEntries(keyNames.map((name) => [name, item[name]])),
});

const toApiKeyEntry = ({ key, ...apiKey }: Item): Entry => {
  const keyHash = hashApiKey(String(key));
  const createdAt = Math.floor(Date.now() / 1000);
  const item = { keyId: `key-${keyHash.slice(0, 12)}`, createdAt, ...apiKey, keyHash };
  return toEntry('API_KEYS_TABLE', item, 'keyHash');
};

const toSpaceEntry = (space: Item): Entry => toEntry('SPACES_TABLE', space, 'tenantId', 'spaceId');

/** `version` is in microseconds since the epoch. */
const toFileEntry = (file: Item): Entry =>
  toEntry('FILES_TABLE', { version: Date.now() * 1000, ...file }, 'spaceId', 'fileId');

const Id = z.string().refine(isStorableId, 'must have 1 to 1024 bytes of valid Unicode');
/** An id of a user or a tenant, as the function reads it from a header: no request can name any other one. */
export const CallerId = z
  .string()
  .refine(
    (value) => headers.CallerIdSchema.safeParse(value).success,
    `must be 1 to ${headers.MAX_ID_CHARACTERS} characters of printable ASCII, without spaces and commas`,
  );
/** Milliseconds are larger. */
const Seconds = z.int().nonnegative().max(MAX_EPOCH_SECONDS, 'must be in seconds since 1970');
/** HTTP removes spaces around the value of a header. */
const isApiKey = (value: string) =>
  headers.ApiKeySchema.safeParse(value).success && value === headers.trimOws(value);
const keyRule = `must be 1 to ${headers.MAX_API_KEY_CHARACTERS} characters of printable ASCII, without commas and without spaces around it`;

// The records as the function reads them. A person may misspell a name or a value: the function would ignore the one,
// and grant nothing for the other.
const { keyHash: _hash, ...apiKeyShape } = ApiKeyRecordSchema.shape;
const ApiKeySchema = z.object({
  ...apiKeyShape,
  key: z.string().refine(isApiKey, keyRule),
  tenantId: CallerId,
  keyId: z.optional(apiKeyShape.keyId),
  scope: z.enum(['PRODUCT', 'INTERNAL']),
  roles: z.array(z.enum(roles)),
  name: z.string().optional(),
  createdAt: Seconds.optional(),
  expiresAt: Seconds.optional(),
  revokedAt: Seconds.optional(),
});
const SpaceSchema = z.object({
  ...SpaceRecordSchema.shape,
  tenantId: CallerId,
  spaceId: Id,
  ownerId: CallerId,
  visibility: z.enum(['private', 'public']),
});
const FileSchema = z
  .object({
    ...FileRecordSchema.shape,
    ...FileIdentitySchema.shape,
    spaceId: Id,
    fileId: Id,
    updatedBy: z.string().optional(),
  })
  .superRefine((file, context) => {
    try {
      toFileView(file);
    } catch (error) {
      context.addIssue(reasonOf(error));
    }
  });

/** Adds an issue for each record of a list that has the same values of `names` as an earlier one. */
const expectUnique =
  (list: string, ...names: readonly string[]) =>
  (records: readonly Item[], context: z.RefinementCtx): void => {
    const firsts = new Map<string, number>();
    for (const [index, record] of records.entries()) {
      const values = JSON.stringify(names.map((name) => record[name]));
      const first = firsts.get(values);
      const path = [index, ...names.slice(-1)];
      if (first === undefined) firsts.set(values, index);
      else if (names.every((name) => name in record))
        context.addIssue({ code: 'custom', path, message: `is also in ${list}[${first}]` });
    }
  };

/** The data file of `npm start -- --data` and `npm run seed`. */
const DataSchema = z.object({
  /** `key` is the API key in plain text, as it is sent in the header `x-api-key`. */
  apiKeys: z
    .array(ApiKeySchema)
    .superRefine(expectUnique('apiKeys', 'key'))
    .superRefine(expectUnique('apiKeys', 'keyId'))
    .default([]),
  /** Not even two tenants can have the same `spaceId`, because files are stored under it alone. */
  spaces: z.array(SpaceSchema).superRefine(expectUnique('spaces', 'spaceId')).default([]),
  files: z
    .array(FileSchema)
    .superRefine(expectUnique('files', 'spaceId', 'fileId'))
    .default([]),
});
const records = z.array(z.record(z.string(), z.unknown())).default([]);
/** The same in the form of the input: without what a schema adds, for example a version. */
const WrittenSchema = z.object({ apiKeys: records, spaces: records, files: records });
export type Data = z.infer<typeof WrittenSchema>;

/** A name that somebody may have misspelled. Any other text may be an API key. */
const shownName = (name: string) => (/^[a-z]{1,32}$/i.test(name) ? name : '…');

/** The places of the names that a schema has dropped, on any level. */
const findDroppedNames = (written: unknown, parsed: unknown): PropertyKey[][] => {
  if (typeof written !== 'object' || written === null) return [];
  return Object.entries(written).flatMap(([name, value]) => {
    if (!Object.hasOwn(Object(parsed), name)) return [[shownName(name)]];
    const place = Array.isArray(written) ? Number(name) : name;
    return findDroppedNames(value, Reflect.get(Object(parsed), name)).map((rest) => [place, ...rest]);
  });
};

const nameMissing = ({ input }: { input?: unknown }) => (input === undefined ? 'is missing' : undefined);

const readText = (file: string): string => {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    // Without the system call and the name of the file, which is an argument.
    throw new UsageError(`The data file cannot be read: ${reasonOf(error).split(', ')[0]}.`);
  }
  // PowerShell's `>` writes UTF-16. The decoder removes a byte order mark.
  if (!isUtf8(bytes)) throw new UsageError('The data file is not UTF-8.');
  return new TextDecoder().decode(bytes);
};

const TransformErrorSchema = z.object({
  errors: z.tuple(
    [z.object({ location: z.object({ line: z.int(), column: z.int(), lineText: z.string() }) })],
    z.unknown(),
  ),
});

/** Where a text is not JSON, as esbuild sees it: the message of JSON.parse has no place, but a part of the text. */
const placeOf = (text: string): string => {
  try {
    transformSync(text, { loader: 'json' });
  } catch (error) {
    const { line, column, lineText } = TransformErrorSchema.parse(error).errors[0].location;
    // esbuild counts bytes.
    return ` in line ${line}, column ${Buffer.from(lineText).toString('utf8', 0, column).length + 1}`;
  }
  // It takes some white space that JSON does not have.
  return '';
};

const readJson = (file: string): unknown => {
  const text = readText(file);
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`The data file is not valid JSON${placeOf(text)}.`);
  }
};

/** Reads a data file. Throws a UsageError with the place of each problem and the rule; it has no value of the file. */
export const readData = (file: string): Data => {
  const json = readJson(file);
  const { data, error } = DataSchema.safeParse(json, { error: nameMissing });
  const issues =
    error?.issues ?? findDroppedNames(json, data).map((path) => ({ path, message: 'unknown name' }));
  if (issues.length > 0)
    throw new UsageError(`The data file cannot be used:\n${z.prettifyError({ issues })}`);
  return WrittenSchema.parse(json);
};

/** The warning that a file of the data has no space in it. It may be right, because the table may have the space. */
export const warnOfMissingSpaces = ({ spaces, files }: Data): string => {
  const known = new Set(spaces.map(({ spaceId }) => spaceId));
  const first = files.findIndex(({ spaceId }) => !known.has(spaceId));
  const place = `the space of each file, for example of files[${first}]`;
  return first < 0
    ? ''
    : `Warning: the data file does not have ${place}. Requests get 404, unless the table has it.\n`;
};

/** Throws a UsageError if the data has a key of the demo data, and the endpoint may be one of AWS. */
export const refusePublicKeys = (endpoint: string, { apiKeys }: Data): void => {
  const hasPublicKey = apiKeys.some(({ key }) => demo.apiKeys.some((known) => known.key === key));
  if (hasPublicKey && !isLocal(endpoint))
    throw new UsageError(
      'The demo API keys are public. They are written only into a DynamoDB on this machine.',
    );
};

const toRejection = (error: unknown): ConditionalCheckFailedException => {
  if (error instanceof ConditionalCheckFailedException) return error;
  throw error;
};

/**
 * Changes each record in turn. A call may have been applied although it fails, and a second run changes nothing twice.
 *
 * @param change returns whether the record is then as the command wants it
 * @returns how many are
 */
const changeAll = async (
  tables: TableNames,
  data: Data,
  change: (TableName: string, entry: Entry) => Promise<boolean>,
): Promise<number> => {
  const entries = {
    apiKeys: data.apiKeys.map(toApiKeyEntry),
    spaces: data.spaces.map(toSpaceEntry),
    files: data.files.map(toFileEntry),
  };
  let done = 0;
  for (const [list, ofList] of Object.entries(entries)) {
    for (const [index, entry] of ofList.entries()) {
      try {
        if (await change(tables[entry.table], entry)) done += 1;
      } catch (cause) {
        throw new UsageError(`${list}[${index}]: ${reasonOf(cause)}. Run the command again.`, { cause });
      }
    }
  }
  return done;
};

/**
 * Stores the records whose key does not exist yet; existing records stay as they are. Of an API key only the hash is stored.
 * A file gets a `version` unless the record names it: without it, a delayed attempt of an earlier update of the same file
 * could overwrite the new record. The attribute `seeded` is the same for all records of one call, and for no other: so a
 * rejected copy of our own write is known, and `removeData` finds what it may remove.
 *
 * @returns how many records are of this call
 * @throws {UsageError} that names the first record that the engine rejects
 */
export const loadData = (client: DynamoDBClient, tables: TableNames, data: Data): Promise<number> => {
  const documents = DynamoDBDocumentClient.from(client);
  const seeded = randomUUID();
  return changeAll(tables, data, async (TableName, { key, item }) => {
    const put = new PutCommand({
      TableName,
      Item: { ...item, seeded },
      ConditionExpression: `attribute_not_exists(${Object.keys(key)[0]})`,
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    const rejected = await documents.send(put).then(() => undefined, toRejection);
    return rejected === undefined || rejected.Item?.['seeded']?.S === seeded;
  });
};

/**
 * Removes the records that `loadData` stored, also if they have changed since. A record of others stays. A record is deleted
 * under the condition that it still has the `seeded` and the `version` that were read. So a late copy of a deletion removes
 * nothing that was written since. API keys and spaces have no `version`.
 *
 * @returns how many records are gone: it was there before, or it was not
 * @throws {UsageError} that names the first record that was changed at the same time
 */
export const removeData = (client: DynamoDBClient, tables: TableNames, data: Data): Promise<number> =>
  changeAll(tables, data, async (TableName, { key }) => {
    const Key = marshall(key);
    const read = () => client.send(new GetItemCommand({ TableName, Key, ConsistentRead: true }));
    const { Item: found } = await read();
    if (found === undefined) return true;
    const { seeded, version } = found;
    if (seeded === undefined) return false;
    const sameVersion = version ? 'version = :version' : 'attribute_not_exists(version)';
    const remove = new DeleteItemCommand({
      TableName,
      Key,
      ConditionExpression: `seeded = :seeded AND ${sameVersion}`,
      ExpressionAttributeValues: { ':seeded': seeded, ...(version && { ':version': version }) },
    });
    const rejected = await client.send(remove).then(() => undefined, toRejection);
    // An earlier copy of this call may have removed it.
    if (rejected && (await read()).Item) throw new UsageError('It was changed at the same time');
    return true;
  });
