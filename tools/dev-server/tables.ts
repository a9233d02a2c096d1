import {
  CreateTableCommand,
  type DynamoDBClient,
  ResourceInUseException,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { readService, type TableNames } from './service.ts';

/**
 * Creates the tables of serverless.yml that do not exist yet, and waits until they are active. They have no time to
 * live: the function compares expiresAt itself.
 *
 * @param prefix in front of every name, to separate the users of one engine
 * @returns the names by environment variable
 */
export const createTables = async (client: DynamoDBClient, prefix = ''): Promise<TableNames> => {
  const { tables, tableNames } = readService();
  for (const table of tables) {
    const TableName = prefix + table.TableName;
    await client.send(new CreateTableCommand({ ...table, TableName })).catch((error: unknown) => {
      if (!(error instanceof ResourceInUseException)) throw error;
    });
    await waitUntilTableExists({ client, maxWaitTime: 10, minDelay: 0.05, maxDelay: 0.5 }, { TableName });
  }
  return {
    API_KEYS_TABLE: prefix + tableNames.API_KEYS_TABLE,
    SPACES_TABLE: prefix + tableNames.SPACES_TABLE,
    FILES_TABLE: prefix + tableNames.FILES_TABLE,
  };
};
