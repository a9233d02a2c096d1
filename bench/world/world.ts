import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { loadData } from '../../tools/dev-server/data.ts';
import { startEngine } from '../../tools/dev-server/engine.ts';
import type { TableNames } from '../../tools/dev-server/service.ts';
import { createTables } from '../../tools/dev-server/tables.ts';
import { records } from './records.ts';

/** A DynamoDB with tables and records, for the variants to work on. */
export type World = {
  readonly endpoint: string;
  readonly tables: TableNames;
  readonly stop: () => Promise<void>;
};

/** Starts the embedded engine, in memory or on the database file `dbPath`, and adds the records. */
export const startWorld = async (options: { dbPath?: string } = {}): Promise<World> => {
  const { endpoint, stop } = await startEngine(options);
  const client = new DynamoDBClient({
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  try {
    const tables = await createTables(client);
    await loadData(client, tables, records);
    return { endpoint, tables, stop };
  } catch (error) {
    await stop();
    throw error;
  } finally {
    client.destroy();
  }
};
