import { readFileSync } from 'node:fs';
import { ConditionalCheckFailedException, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { ApiKeyRecordSchema } from '#lib/domain/api-key.ts';
import { parseRecord } from '#lib/domain/errors.ts';
import { toFileMetadata, toFileView } from '#lib/domain/file.ts';
import { SpaceRecordSchema } from '#lib/domain/space.ts';
import { hashApiKey, isStorable } from '#lib/store/keys.ts';
import { check, reasonOf, UsageError } from '#tools/cli.ts';
import demo from './demo-data.json' with { type: 'json' };
import { isOnAws, type TableNames } from './environment.ts';

/** As the function reads the header `x-api-key`. */
const keyRule = 'must be 1 to 512 characters of printable ASCII, without commas';
const ApiKeySchema = z.looseObject({ key: z.string().regex(/^[\x20-\x2b\x2d-\x7e]{1,512}$/, keyRule) });

/** The data file of `npm start -- --data` and `npm run seed`. The function itself says what must be in a record. */
const DataSchema = z.strictObject({
  /** `key` is the API key in plain text, as it is sent in the header `x-api-key`. */
  apiKeys: z.array(ApiKeySchema).default([]),
  spaces: z.array(z.looseObject({})).default([]),
  files: z.array(z.looseObject({})).default([]),
});
export type Data = z.infer<typeof DataSchema>;
type Item = Record<string, unknown>;

const toApiKeyItem = ({ key, ...apiKey }: Data['apiKeys'][number]) => {
  const keyHash = hashApiKey(key);
  const createdAt = Math.floor(Date.now() / 1000);
  const item = { keyId: `key-${keyHash.slice(0, 12)}`, createdAt, ...apiKey, keyHash };
  parseRecord(ApiKeyRecordSchema, 'API key record', item);
  return item;
};

const toSpaceItem = (space: Item) => {
  parseRecord(SpaceRecordSchema, 'space record', space);
  return space;
};

/** `version` is in microseconds since the epoch. */
const toFileItem = (file: Item) => {
  const item = { version: Date.now() * 1000, ...file };
  toFileMetadata(item);
  toFileView(item);
  return item;
};

/** A record as it is stored. `place` is where it is in the data file, for example `files[0]`. */
type Entry = { place: string; table: keyof TableNames; key: Item; item: Item };

/** Makes all items, and finds all problems, without a call to DynamoDB. */
const prepare = (data: Data): { entries: Entry[]; problems: string[] } => {
  const problems: string[] = [];
  const entriesOf = <Row>(
    rows: readonly Row[],
    name: keyof Data,
    table: keyof TableNames,
    keyNames: readonly string[],
    toItem: (row: Row) => Item,
  ): Entry[] =>
    rows.flatMap((row, index) => {
      const place = `${name}[${index}]`;
      try {
        const item = toItem(row);
        const impossible = keyNames.find((keyName) => !isStorable(String(item[keyName])));
        if (impossible) throw new UsageError(`${impossible} must have 1 to 1024 bytes of valid Unicode`);
        return { place, table, item, key: Object.fromEntries(keyNames.map((one) => [one, item[one]])) };
      } catch (error) {
        problems.push(`${place}: ${reasonOf(error)}`);
        return [];
      }
    });
  const entries = [
    ...entriesOf(data.apiKeys, 'apiKeys', 'API_KEYS_TABLE', ['keyHash'], toApiKeyItem),
    ...entriesOf(data.spaces, 'spaces', 'SPACES_TABLE', ['tenantId', 'spaceId'], toSpaceItem),
    ...entriesOf(data.files, 'files', 'FILES_TABLE', ['spaceId', 'fileId'], toFileItem),
  ];
  return { entries, problems };
};

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
  const data = check(DataSchema, json);
  const { problems } = prepare(data);
  if (problems.length > 0) throw new UsageError(problems.join('\n'));
  return data;
};

/** Throws a UsageError if the data has a key of the demo data, and the endpoint is one of AWS. */
export const refusePublicKeys = (endpoint: string, { apiKeys }: Data): void => {
  if (isOnAws(endpoint) && apiKeys.some(({ key }) => demo.apiKeys.some((known) => known.key === key)))
    throw new UsageError('The demo API keys are public. They are not written into a DynamoDB on AWS.');
};

type Write = (documents: DynamoDBDocumentClient, TableName: string, entry: Entry) => Promise<unknown>;

/** Calls `write` for each record. Returns how many writes met their condition. */
const writeAll = async (client: DynamoDBClient, tables: TableNames, data: Data, write: Write) => {
  const documents = DynamoDBDocumentClient.from(client);
  let written = 0;
  for (const entry of prepare(data).entries) {
    try {
      await write(documents, tables[entry.table], entry);
      written += 1;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) continue;
      throw new UsageError(`${entry.place}: ${reasonOf(error)}`, { cause: error });
    }
  }
  return written;
};

/**
 * Stores the records whose key does not exist yet; existing records stay as they are. Of an API key only the hash is stored. A
 * file gets a `version` unless the record names it: without it, a delayed attempt of an earlier update of the same file
 * could overwrite the new record. The attribute `seeded` marks a record for `removeData`.
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
