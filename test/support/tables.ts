import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, GetCommand, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { inject } from 'vitest';
import { hashApiKey } from '#lib/domain/api-key.ts';
import { toDocumentClient } from '#lib/runtime/dynamodb-client.ts';
import { readConfig } from '#lib/runtime/live.ts';
import demo from '#tools/tables/demo-data.json' with { type: 'json' };
import { createTables } from '#tools/tables/tables.ts';
import { readChanges } from './changes.ts';

type Item = Record<string, unknown>;

/**
 * Tables in an engine that belong to one test file, and what a test does to them.
 *
 * @param prefix separates the tables of one test file from those of the others
 */
export const openTables = async (prefix: string, endpoint = inject('endpoint')) => {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const options = { endpoint, region: 'us-east-1', credentials, maxAttempts: 1 };
  const client = toDocumentClient(new DynamoDBClient(options));
  const own = `${prefix}-${process.pid}`;
  const names = {
    API_KEYS_TABLE: `${own}-api-keys`,
    SPACES_TABLE: `${own}-spaces`,
    FILES_TABLE: `${own}-files`,
  };
  await createTables(client, names);

  const put = async (TableName: string, Item: Item) => {
    await client.send(new PutCommand({ TableName, Item }));
  };
  const putApiKey = ({ key, ...record }: Item & { key: string }) =>
    put(names.API_KEYS_TABLE, { keyHash: hashApiKey(key), ...record });
  const putSpace = (record: Item) => put(names.SPACES_TABLE, record);
  const putFile = (record: Item) => put(names.FILES_TABLE, record);
  const scan = async (TableName: string) =>
    (await client.send(new ScanCommand({ TableName, ConsistentRead: true }))).Items ?? [];
  return {
    client,
    /** The names of the tables, by environment variable. */
    names,
    /** The same as the store takes them. */
    config: readConfig({ ...names, AWS_REGION: 'us-east-1' }),
    putApiKey,
    putSpace,
    putFile,
    removeFile: async (spaceId: string, fileId: string) => {
      await client.send(new DeleteCommand({ TableName: names.FILES_TABLE, Key: { spaceId, fileId } }));
    },
    getFile: async (spaceId: string, fileId: string): Promise<Item | undefined> => {
      const Key = { spaceId, fileId };
      return (await client.send(new GetCommand({ TableName: names.FILES_TABLE, Key, ConsistentRead: true })))
        .Item;
    },
    /** Every file by the ids of its space and its own. */
    files: async (): Promise<Readonly<Record<string, Item>>> =>
      Object.fromEntries(
        (await scan(names.FILES_TABLE)).map((file) => [`${file['spaceId']}/${file['fileId']}`, file]),
      ),
    /** Every change of a file so far, from the stream of the table. */
    changes: async () => (await readChanges(names.FILES_TABLE, endpoint)) ?? [],
    /** Every item of every table. */
    everything: () => Promise.all(Object.values(names).map(scan)),
  };
};
export type Tables = Awaited<ReturnType<typeof openTables>>;

/** Puts the demo data of `npm start`. */
export const seed = async ({ putApiKey, putSpace, putFile }: Tables): Promise<void> => {
  await Promise.all([
    ...demo.apiKeys.map(putApiKey),
    ...demo.spaces.map(putSpace),
    ...demo.files.map((file) => putFile(file)),
  ]);
};
