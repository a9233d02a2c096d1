import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ConditionalCheckFailedException, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { hashApiKey } from '#lib/store/keys.ts';
import { codeOf, reasonOf, UsageError } from '#tools/cli.ts';
import type { TableNames } from './service.ts';

const text = z.string().min(1);
const count = z.int().min(0);
const detailNames = ['originalName', 'chunksCount', 'charactersCount'] as const;

const ApiKeySchema = z.looseObject({
  /** In plain text, as it is sent in the header `x-api-key`: a comma or a space at an end would not arrive. */
  key: z
    .string()
    .regex(/^(?! )[\x20-\x2b\x2d-\x7e]{1,512}(?<! )$/, 'Expected 1 to 512 ASCII characters, without a comma'),
  keyId: text.optional(),
  tenantId: text,
  scope: text,
  roles: z.array(text),
  createdAt: count.optional(),
  expiresAt: count.optional(),
  revokedAt: count.optional(),
  name: text.optional(),
});

const SpaceSchema = z.looseObject({
  tenantId: text,
  spaceId: text,
  ownerId: text,
  visibility: z.enum(['private', 'public']),
});

const FileSchema = z
  .looseObject({
    spaceId: text,
    fileId: text,
    summary: z.string().nullish(),
    language: text,
    documentKind: z.string().nullish(),
    domain: text,
    tags: z
      .array(z.looseObject({ key: z.string(), value: z.string(), aiExtracted: z.boolean() }))
      .default([]),
    originalName: text.optional(),
    chunksCount: count.optional(),
    charactersCount: count.optional(),
    version: count.optional(),
    requestId: text.optional(),
  })
  .refine((file) => new Set(detailNames.map((name) => file[name] === undefined)).size === 1, {
    error: `Expected all of ${detailNames.join(', ')}, or none`,
  });

/** A data file of `npm start -- --data`. Attributes that are not named here are stored as they are. */
const DataSchema = z.strictObject({
  apiKeys: z.array(ApiKeySchema).default([]),
  spaces: z.array(SpaceSchema).default([]),
  files: z.array(FileSchema).default([]),
});
export type Data = z.infer<typeof DataSchema>;

const parseFile = (file: string): unknown => {
  try {
    return JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') throw new UsageError(`The data file ${file} does not exist.`);
    if (!(error instanceof SyntaxError)) throw new UsageError(`${file}: ${reasonOf(error)}.`);
    // The rest of the message quotes the file, which holds keys.
    const [position = ''] = /at position .*/.exec(error.message) ?? [];
    throw new UsageError(`${file} is not valid JSON ${position}`.trimEnd().concat('.'));
  }
};

/** Reads a data file. Throws a UsageError with the first problem; it never contains a value of the file. */
export const readData = (file: string): Data => {
  const parsed = DataSchema.safeParse(parseFile(file));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = z.core.toDotPath(issue?.path ?? []);
  throw new UsageError(`${file}: ${place && `${place}: `}${issue?.message}.`);
};

const toApiKeyItem = ({ key, ...apiKey }: Data['apiKeys'][number]) => {
  const keyHash = hashApiKey(key);
  return {
    keyId: `key-${keyHash.slice(0, 12)}`,
    createdAt: Math.floor(Date.now() / 1000),
    ...apiKey,
    keyHash,
  };
};

/** Null is not stored: it means that the attribute is absent. `version` is in microseconds since the epoch. */
const toFileItem = ({ summary, documentKind, ...file }: Data['files'][number]) => ({
  version: Date.now() * 1000,
  requestId: randomUUID(),
  ...file,
  summary: summary ?? undefined,
  documentKind: documentKind ?? undefined,
});

/**
 * Stores the records whose key does not exist yet; existing records stay as they are. Of an API key only the hash is stored. A
 * file gets a `version` and a `requestId` unless the record names them: without both, a delayed attempt of an earlier
 * update of the same file could overwrite the new record.
 *
 * @throws {UsageError} that names the place of a record that the engine rejects
 */
export const loadData = async (client: DynamoDBClient, tables: TableNames, data: Data): Promise<void> => {
  const documents = DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
  const putAll = async (TableName: string, keyAttribute: string, list: string, items: object[]) => {
    const condition = {
      ConditionExpression: 'attribute_not_exists(#key)',
      ExpressionAttributeNames: { '#key': keyAttribute },
    };
    for (const [index, item] of items.entries()) {
      try {
        await documents.send(new PutCommand({ TableName, Item: { ...item }, ...condition }));
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException) continue;
        throw new UsageError(`${list}[${index}] could not be stored: ${reasonOf(error)}`, { cause: error });
      }
    }
  };
  await putAll(tables.API_KEYS_TABLE, 'keyHash', 'apiKeys', data.apiKeys.map(toApiKeyItem));
  await putAll(tables.SPACES_TABLE, 'spaceId', 'spaces', data.spaces);
  await putAll(tables.FILES_TABLE, 'fileId', 'files', data.files.map(toFileItem));
};
