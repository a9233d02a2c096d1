import { DynamoDBClient, UpdateTimeToLiveCommand } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, GetCommand, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { inject } from 'vitest';
import { type Config, readConfig, toDocumentClient } from '#lib/runtime/deps.ts';
import { fileKey, hashApiKey } from '#lib/store/keys.ts';
import { createTables } from '#tools/dev-server/tables.ts';
import { aFile, anApiKey, aSpace } from './given.ts';

type Item = Record<string, unknown>;

/** Tables in the engine that belong to one test file, and what a test does to them. */
export type Tables = {
  readonly client: DynamoDBDocumentClient;
  readonly config: Config;
  /** The names of the operations that went through `client`, since the last call of this function. */
  readonly takeCalls: () => readonly string[];
  readonly putApiKey: (record: Item & { key: string }) => Promise<void>;
  readonly putSpace: (record: Item) => Promise<void>;
  readonly putFile: (record: Item) => Promise<void>;
  /** Puts the records that `anEvent()` is about. */
  readonly putGiven: () => Promise<void>;
  readonly getFile: (spaceId: string, fileId: string) => Promise<Item | undefined>;
  /** Every item of every table. */
  readonly everything: () => Promise<readonly (readonly Item[])[]>;
};

const createEngineClient = () => {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const options = { endpoint: inject('endpoint'), region: 'local-1', credentials, maxAttempts: 1 };
  return toDocumentClient(new DynamoDBClient(options));
};

/** The function must reject an expired key, so the engine must not delete it first. */
const keepExpiredKeys = async (client: DynamoDBDocumentClient, TableName: string) => {
  const TimeToLiveSpecification = { AttributeName: 'expiresAt', Enabled: false };
  // Rejected if it is off already.
  await client
    .send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }))
    .catch(() => undefined);
};

/** @param prefix separates the tables of one test file from those of the others */
export const openTables = async (prefix: string): Promise<Tables> => {
  const engine = createEngineClient();
  const config = readConfig(await createTables(engine, `${prefix}-${process.pid}-`));
  await keepExpiredKeys(engine, config.apiKeysTable);

  const client = createEngineClient();
  const calls: string[] = [];
  const recordCall = { step: 'initialize', name: 'recordCall' } as const;
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      (call) => {
        calls.push(commandName);
        return next(call);
      },
    recordCall,
  );

  const put = async (TableName: string, Item: Item) => {
    await engine.send(new PutCommand({ TableName, Item }));
  };
  const putApiKey = ({ key, ...record }: Item & { key: string }) =>
    put(config.apiKeysTable, { keyHash: hashApiKey(key), ...record });
  const putSpace = (record: Item) => put(config.spacesTable, record);
  const putFile = (record: Item) => put(config.filesTable, record);
  const scan = async (TableName: string) =>
    (await engine.send(new ScanCommand({ TableName, ConsistentRead: true }))).Items ?? [];
  return {
    client,
    config,
    takeCalls: () => calls.splice(0),
    putApiKey,
    putSpace,
    putFile,
    putGiven: async () =>
      void (await Promise.all([putApiKey(anApiKey()), putSpace(aSpace()), putFile(aFile())])),
    getFile: async (spaceId, fileId) => {
      const Key = fileKey({ spaceId, fileId });
      return (await engine.send(new GetCommand({ TableName: config.filesTable, Key, ConsistentRead: true })))
        .Item;
    },
    everything: () => Promise.all([config.apiKeysTable, config.spacesTable, config.filesTable].map(scan)),
  };
};
