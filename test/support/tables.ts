import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, GetCommand, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { expect, inject } from 'vitest';
import { toDocumentClient } from '#lib/runtime/dynamodb-client.ts';
import { readConfig } from '#lib/runtime/live.ts';
import type { Command } from '#lib/store/tables.ts';
import { createTables } from '#tools/tables/tables.ts';
import { readChanges } from './changes.ts';
import { type Item, idOf, keyOf, type Records, type TableName, tableNames } from './simulated-tables.ts';

/** An engine always reads the latest state. DynamoDB may not show what was just written, unless a read asks for it. */
const expectLatest = (command: string, input: object): void => {
  const { RequestItems = {} } = Object(input);
  const reads = /^(?:Get|Scan|Query)/.test(command) ? [input] : Object.values(RequestItems);
  for (const read of reads) expect(read, command).toHaveProperty('ConsistentRead', true);
};

/**
 * Tables in an engine that belong to one test file, and what a test does to them.
 *
 * @param prefix separates the tables of one test file from those of the others
 */
export const openTables = async (prefix: string, endpoint = inject('endpoint')) => {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const options = { endpoint, region: 'us-east-1', credentials, maxAttempts: 1 };
  const client = toDocumentClient(new DynamoDBClient(options));
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      (args) => {
        expectLatest(commandName, args.input);
        return next(args);
      },
    { step: 'initialize' },
  );
  const own = `${prefix}-${process.pid}`;
  const names = {
    API_KEYS_TABLE: `${own}-api-keys`,
    SPACES_TABLE: `${own}-spaces`,
    FILES_TABLE: `${own}-files`,
  };
  await createTables(client, names);

  const config = readConfig({ ...names, AWS_REGION: 'us-east-1' });
  const nameOf = (table: TableName) => config[`${table}Table`];
  const scan = async (table: TableName): Promise<readonly Item[]> =>
    (await client.send(new ScanCommand({ TableName: nameOf(table), ConsistentRead: true }))).Items ?? [];
  return {
    client,
    /** The names of the tables, by environment variable. */
    names,
    /** The same as the store takes them. */
    config,
    send: (command: Command): Promise<object> => Reflect.apply(client.send, client, [command]),
    put: async (table: TableName, Item: Item) => {
      await client.send(new PutCommand({ TableName: nameOf(table), Item }));
    },
    remove: async (table: TableName, item: Item) => {
      await client.send(new DeleteCommand({ TableName: nameOf(table), Key: keyOf(table, item) }));
    },
    get: async (table: TableName, item: Item): Promise<Item | undefined> => {
      const Key = keyOf(table, item);
      return (await client.send(new GetCommand({ TableName: nameOf(table), Key, ConsistentRead: true })))
        .Item;
    },
    records: async (): Promise<Records> => {
      const all = Object.values(tableNames).map(async (table) =>
        (await scan(table)).map((item) => [idOf(table, item), item]),
      );
      return Object.fromEntries((await Promise.all(all)).flat());
    },
    /** Every change of a file so far, from the stream of the table. */
    changes: async () => (await readChanges(names.FILES_TABLE, endpoint)) ?? [],
  };
};
export type EngineTables = Awaited<ReturnType<typeof openTables>>;
