import { readFileSync } from 'node:fs';
import { ConditionalCheckFailedException, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { ApiKeyRecordSchema, hashApiKey } from '#lib/domain/api-key.ts';
import { toFileIdentity, toFileView } from '#lib/domain/file.ts';
import { parseData } from '#lib/domain/parse-data.ts';
import { SpaceRecordSchema } from '#lib/domain/space.ts';
import { isStorableId } from '#lib/store/storable-id.ts';
import { check, reasonOf, UsageError } from '#tools/cli.ts';
import demo from './demo-data.json' with { type: 'json' };
import { isLocal, type TableNames } from './environment.ts';

type Item = Record<string, unknown>;
/** A record as it is stored, in its table under its key. */
type Entry = { table: keyof TableNames; key: Item; item: Item };

const toEntry = (table: Entry['table'], item: Item, ...keyNames: readonly string[]): Entry => {
  const impossible = keyNames.find((name) => !isStorableId(String(item[name])));
  if (impossible) throw new UsageError(`${impossible} must have 1 to 1024 bytes of valid Unicode`);
  return { table, item, key: Object.fromEntries(keyNames.map((name) => [name, item[name]])) };
};

/** As the function reads the header `x-api-key`. */
const keyRule = 'must be 1 to 512 characters of printable ASCII, without commas';
const ApiKeySchema = z.looseObject({ key: z.string().regex(/^[\x20-\x2b\x2d-\x7e]{1,512}$/, keyRule) });

const toApiKeyEntry = ({ key, ...apiKey }: z.infer<typeof ApiKeySchema>): Entry => {
  const keyHash = hashApiKey(key);
  const createdAt = Math.floor(Date.now() / 1000);
  const item = { keyId: `key-${keyHash.slice(0, 12)}`, createdAt, ...apiKey, keyHash };
  parseData(ApiKeyRecordSchema, 'API key record', item);
  return toEntry('API_KEYS_TABLE', item, 'keyHash');
};

const toSpaceEntry = (space: Item): Entry => {
  parseData(SpaceRecordSchema, 'space record', space);
  return toEntry('SPACES_TABLE', space, 'tenantId', 'spaceId');
};

/** `version` is in microseconds since the epoch. */
const toFileEntry = (file: Item): Entry => {
  const item = { version: Date.now() * 1000, ...file };
  toFileIdentity(item);
  toFileView(item);
  return toEntry('FILES_TABLE', item, 'spaceId', 'fileId');
};

/** A list of records in the data file. The code with which the function reads a record also checks it here. */
const listOf = <Row extends Item>(row: z.ZodType<Row>, toEntryOf: (row: Row) => Entry) => {
  const readable = row.superRefine((value, context) => {
    try {
      toEntryOf(value);
    } catch (error) {
      context.addIssue(reasonOf(error));
    }
  });
  return z.array(readable).default([]);
};

/** The data file of `npm start -- --data` and `npm run seed`. */
const DataSchema = z.strictObject({
  /** `key` is the API key in plain text, as it is sent in the header `x-api-key`. */
  apiKeys: listOf(ApiKeySchema, toApiKeyEntry),
  spaces: listOf(z.looseObject({}), toSpaceEntry),
  files: listOf(z.looseObject({}), toFileEntry),
});
export type Data = z.infer<typeof DataSchema>;

/** Reads a data file. Throws a UsageError with all problems of its records; it never contains a value of the file. */
export const readData = (file: string): Data => {
  const text = readFileSync(file, 'utf8');
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    // The message of the parser quotes the file, which holds keys.
    throw new UsageError(`${file} is not valid JSON.`);
  }
  return check(DataSchema, json);
};

/** Throws a UsageError if the data has a key of the demo data, and the endpoint may be one of AWS. */
export const refusePublicKeys = (endpoint: string, { apiKeys }: Data): void => {
  if (!isLocal(endpoint) && apiKeys.some(({ key }) => demo.apiKeys.some((known) => known.key === key)))
    throw new UsageError(
      'The demo API keys are public. They are written only into a DynamoDB on this machine.',
    );
};

type Write = (documents: DynamoDBDocumentClient, TableName: string, entry: Entry) => Promise<unknown>;

/** Calls `write` for each record. Returns how many writes met their condition. */
const writeAll = async (client: DynamoDBClient, tables: TableNames, data: Data, write: Write) => {
  const documents = DynamoDBDocumentClient.from(client);
  const entries = {
    apiKeys: data.apiKeys.map(toApiKeyEntry),
    spaces: data.spaces.map(toSpaceEntry),
    files: data.files.map(toFileEntry),
  };
  let written = 0;
  for (const [list, ofList] of Object.entries(entries)) {
    for (const [index, entry] of ofList.entries()) {
      try {
        await write(documents, tables[entry.table], entry);
        written += 1;
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException) continue;
        throw new UsageError(`${list}[${index}]: ${reasonOf(error)}`, { cause: error });
      }
    }
  }
  return written;
};

/**
 * Stores the records whose key does not exist yet; existing records stay as they are. Of an API key only the hash is
 * stored. A file gets a `version` unless the record names it: without it, a delayed attempt of an earlier update of the
 * same file could overwrite the new record. The attribute `seeded` marks a record for `removeData`.
 *
 * @returns how many records are new
 * @throws {UsageError} that names the first record that the engine rejects
 */
export const loadData = (client: DynamoDBClient, tables: TableNames, data: Data): Promise<number> =>
  writeAll(client, tables, data, (documents, TableName, { key, item }) => {
    const ConditionExpression = `attribute_not_exists(${Object.keys(key)[0]})`;
    return documents.send(
      new PutCommand({ TableName, Item: { ...item, seeded: true }, ConditionExpression }),
    );
  });

/** Removes the records that `loadData` stored, also if they have changed since. Returns how many. */
export const removeData = (client: DynamoDBClient, tables: TableNames, data: Data): Promise<number> =>
  writeAll(client, tables, data, (documents, TableName, { key: Key }) =>
    documents.send(new DeleteCommand({ TableName, Key, ConditionExpression: 'attribute_exists(seeded)' })),
  );
