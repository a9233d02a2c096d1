import {
  CreateTableCommand,
  type DynamoDBClient,
  ResourceInUseException,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { readService, type TableNames, type TableProperties } from './service.ts';

const createTable = async (
  client: DynamoDBClient,
  { TimeToLiveSpecification, ...table }: TableProperties,
): Promise<void> => {
  const { TableName } = table;
  try {
    await client.send(new CreateTableCommand(table));
  } catch (error) {
    if (error instanceof ResourceInUseException) return;
    throw error;
  }
  await waitUntilTableExists({ client, maxWaitTime: 10, minDelay: 0.05, maxDelay: 0.5 }, { TableName });
  if (TimeToLiveSpecification === undefined) return;
  // Some engines do not support it. The function does not need it, because it compares expiresAt itself.
  const timeToLive = new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification });
  await client.send(timeToLive).catch(() => undefined);
};

/**
 * Creates the tables of serverless.yml that do not exist yet, and waits until they are active.
 *
 * @param prefix in front of every name, to separate the users of one engine
 * @returns the names by environment variable
 */
export const createTables = async (client: DynamoDBClient, prefix = ''): Promise<TableNames> => {
  const { tables, tableNames } = readService();
  const prefixed = tables.map((table) => ({ ...table, TableName: prefix + table.TableName }));
  await Promise.all(prefixed.map((table) => createTable(client, table)));
  return {
    API_KEYS_TABLE: prefix + tableNames.API_KEYS_TABLE,
    SPACES_TABLE: prefix + tableNames.SPACES_TABLE,
    FILES_TABLE: prefix + tableNames.FILES_TABLE,
  };
};
