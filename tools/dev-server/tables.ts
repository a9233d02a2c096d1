import {
  CreateTableCommand,
  type DynamoDBClient,
  ResourceInUseException,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import type { TableNames } from './environment.ts';
import { readService } from './service.ts';

/**
 * Creates the tables of stage `dev` that do not exist yet, and waits until they are active. They have no time to live:
 * the function compares expiresAt itself.
 *
 * @param prefix in front of every name, to separate the users of one engine
 * @returns the names by environment variable
 */
export const createTables = async (client: DynamoDBClient, prefix = ''): Promise<TableNames> => {
  const { ApiKeysTable, SpacesTable, FilesTable } = readService().tables;
  const create = async (name: string, table: typeof ApiKeysTable): Promise<string> => {
    const TableName = prefix + name;
    await client.send(new CreateTableCommand({ ...table, TableName })).catch((error: unknown) => {
      if (!(error instanceof ResourceInUseException)) throw error;
    });
    await waitUntilTableExists({ client, maxWaitTime: 10, minDelay: 0.05, maxDelay: 0.5 }, { TableName });
    return TableName;
  };
  return {
    API_KEYS_TABLE: await create('space-files-dev-api-keys', ApiKeysTable),
    SPACES_TABLE: await create('space-files-dev-spaces', SpacesTable),
    FILES_TABLE: await create('space-files-dev-files', FilesTable),
  };
};
