import {
  CreateTableCommand,
  type DynamoDBClient,
  ResourceInUseException,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { readService, type TableNames, type TableProperties } from './service.ts';

/**
 * Creates the tables of serverless.yml that do not exist yet and waits until they answer. A `prefix` in front of
 * every name keeps apart what shares one engine. Gives the names by environment variable.
 */
export const createTables = async (client: DynamoDBClient, prefix = ''): Promise<TableNames> => {
  const { tables, tableNames } = readService();
  await Promise.all(
    tables.map((table) => createTable(client, { ...table, TableName: prefix + table.TableName })),
  );
  return {
    API_KEYS_TABLE: prefix + tableNames.API_KEYS_TABLE,
    SPACES_TABLE: prefix + tableNames.SPACES_TABLE,
    FILES_TABLE: prefix + tableNames.FILES_TABLE,
  };
};

const createTable = async (client: DynamoDBClient, table: TableProperties): Promise<void> => {
  const { TableName, BillingMode, AttributeDefinitions, KeySchema, TimeToLiveSpecification } = table;
  try {
    await client.send(new CreateTableCommand({ TableName, BillingMode, AttributeDefinitions, KeySchema }));
  } catch (error) {
    if (error instanceof ResourceInUseException) return;
    throw error;
  }
  await waitUntilTableExists({ client, maxWaitTime: 10, minDelay: 0.05, maxDelay: 0.5 }, { TableName });
  if (TimeToLiveSpecification === undefined) return;
  // Not every engine knows it, and nothing depends on it: the function compares expiresAt itself.
  await client
    .send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }))
    .catch(() => undefined);
};
