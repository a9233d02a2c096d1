import { readFileSync } from 'node:fs';
import { ConditionalCheckFailedException, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { ApiKeyRecordSchema } from '#lib/domain/api-key.ts';
import { parseRecord } from '#lib/domain/errors.ts';
import { toFileMetadata, toFileView } from '#lib/domain/file.ts';
import { SpaceRecordSchema } from '#lib/domain/space.ts';
import { hashApiKey } from '#lib/store/keys.ts';
import { check, reasonOf, UsageError } from '#tools/cli.ts';
import type { TableNames } from './environment.ts';

/** A data file of `npm start -- --data`. The function itself says what must be in a record. */
const DataSchema = z.strictObject({
  /** `key` is the API key in plain text, as it is sent in the header `x-api-key`. */
  apiKeys: z.array(z.looseObject({ key: z.string() })).default([]),
  spaces: z.array(z.looseObject({})).default([]),
  files: z.array(z.looseObject({})).default([]),
});
export type Data = z.infer<typeof DataSchema>;

/** Reads a data file. Throws a UsageError for the first problem; it never contains a value of the file. */
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

const toApiKeyItem = ({ key, ...apiKey }: Data['apiKeys'][number]) => {
  const keyHash = hashApiKey(key);
  const createdAt = Math.floor(Date.now() / 1000);
  const item = { keyId: `key-${keyHash.slice(0, 12)}`, createdAt, ...apiKey, keyHash };
  parseRecord(ApiKeyRecordSchema, 'API key record', item);
  return item;
};

const toSpaceItem = (space: Data['spaces'][number]) => {
  parseRecord(SpaceRecordSchema, 'space record', space);
  return space;
};

/** `version` is in microseconds since the epoch. */
const toFileItem = (file: Data['files'][number]) => {
  const item = { version: Date.now() * 1000, ...file };
  toFileMetadata(item);
  toFileView(item);
  return item;
};

/**
 * Stores the records whose key does not exist yet; existing records stay as they are. Of an API key only the hash is stored. A
 * file gets a `version` unless the record names it: without it, a delayed attempt of an earlier update of the same file
 * could overwrite the new record.
 *
 * @throws {UsageError} that names the first record that the function could not read, or the engine rejects
 */
export const loadData = async (client: DynamoDBClient, tables: TableNames, data: Data): Promise<void> => {
  const documents = DynamoDBDocumentClient.from(client);
  const putAll = async <Name extends keyof Data>(
    name: Name,
    TableName: string,
    key: string,
    toItem: (record: Data[Name][number]) => Record<string, unknown>,
  ) => {
    for (const [index, record] of data[name].entries()) {
      try {
        const ConditionExpression = `attribute_not_exists(${key})`;
        await documents.send(new PutCommand({ TableName, Item: toItem(record), ConditionExpression }));
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException) continue;
        throw new UsageError(`${name}[${index}]: ${reasonOf(error)}`, { cause: error });
      }
    }
  };
  await putAll('apiKeys', tables.API_KEYS_TABLE, 'keyHash', toApiKeyItem);
  await putAll('spaces', tables.SPACES_TABLE, 'spaceId', toSpaceItem);
  await putAll('files', tables.FILES_TABLE, 'fileId', toFileItem);
};
