import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { openTables } from '#test/support/tables.ts';
import { type Backend, inOrder, keyOf, type TableName } from './backend.ts';

/**
 * Tables of the real engine.
 *
 * @param prefix keeps them apart from all others
 */
export const openEngineTables = async (prefix: string): Promise<Backend> => {
  const { client, config, everything } = await openTables(prefix);
  const nameOf = (table: TableName) => config[`${table}Table`];
  return {
    client,
    config,
    put: async (table, item) => {
      await client.send(new PutCommand({ TableName: nameOf(table), Item: item }));
    },
    remove: async (table, item) => {
      await client.send(new DeleteCommand({ TableName: nameOf(table), Key: keyOf(table, item) }));
    },
    everything: async () => {
      const [apiKeys = [], spaces = [], files = []] = await everything();
      return {
        apiKeys: inOrder('apiKeys', apiKeys),
        spaces: inOrder('spaces', spaces),
        files: inOrder('files', files),
      };
    },
  };
};
