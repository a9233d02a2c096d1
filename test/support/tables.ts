import { DynamoDBClient, UpdateTimeToLiveCommand } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, GetCommand, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { inject } from 'vitest';
import { type Config, readConfig, toDocumentClient } from '#lib/runtime/deps.ts';
import { fileKey, hashApiKey } from '#lib/store/keys.ts';
import { createTables } from '#tools/dev-server/tables.ts';

type Item = Record<string, unknown>;

/** Real tables of a test file's own, and what a test does to them. */
export type Tables = {
  readonly client: DynamoDBDocumentClient;
  readonly config: Config;
  readonly putApiKey: (record: Item & { key: string }) => Promise<void>;
  readonly putSpace: (record: Item) => Promise<void>;
  readonly putFile: (record: Item) => Promise<void>;
  readonly getFile: (spaceId: string, fileId: string) => Promise<Item | undefined>;
  /** Every item of every table, to show that nothing changed. */
  readonly everything: () => Promise<readonly (readonly Item[])[]>;
};

const createEngineClient = () =>
  toDocumentClient(
    new DynamoDBClient({
      endpoint: inject('endpoint'),
      region: 'local-1',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
      maxAttempts: 1,
    }),
  );

/** A key that has expired must be refused by the function, not removed by an engine that is quick to tidy up. */
const keepExpiredKeys = async (client: DynamoDBDocumentClient, TableName: string) => {
  const TimeToLiveSpecification = { AttributeName: 'expiresAt', Enabled: false };
  // Refused where it is off already: the tables may have been opened before.
  await client
    .send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }))
    .catch(() => undefined);
};

/** @param prefix keeps the tables of one test file apart from those of the others */
export const openTables = async (prefix: string): Promise<Tables> => {
  const client = createEngineClient();
  const config = readConfig(await createTables(client, `${prefix}-${process.pid}-`));
  await keepExpiredKeys(client, config.apiKeysTable);
  const put = async (TableName: string, Item: Item) => {
    await client.send(new PutCommand({ TableName, Item }));
  };
  const scan = async (TableName: string) =>
    (await client.send(new ScanCommand({ TableName, ConsistentRead: true }))).Items ?? [];
  return {
    client,
    config,
    putApiKey: ({ key, ...record }) => put(config.apiKeysTable, { keyHash: hashApiKey(key), ...record }),
    putSpace: (record) => put(config.spacesTable, record),
    putFile: (record) => put(config.filesTable, record),
    getFile: async (spaceId, fileId) => {
      const Key = fileKey({ spaceId, fileId });
      return (await client.send(new GetCommand({ TableName: config.filesTable, Key, ConsistentRead: true })))
        .Item;
    },
    everything: () => Promise.all([config.apiKeysTable, config.spacesTable, config.filesTable].map(scan)),
  };
};
