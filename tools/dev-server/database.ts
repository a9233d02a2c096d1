import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { reasonOf, UsageError } from '#tools/cli.ts';
import { type Data, loadData } from './data.ts';
import { startEngine } from './engine.ts';
import { applyEnvironment, customEnvironment, engineEnvironment } from './environment.ts';
import type { TableNames } from './service.ts';
import { createTables } from './tables.ts';

/** A DynamoDB with tables and data. `engineExited` settles if the embedded engine ends; `stop` ends it. */
export type Database = {
  endpoint: string;
  tables: TableNames;
  description: string;
  engineExited: Promise<void>;
  stop: () => Promise<void>;
};

type Options = { data: Data; isDemo: boolean; db: string | undefined };

const useCustomEndpoint = (endpoint: string, { isDemo, db }: Options) => {
  if (db !== undefined) {
    throw new UsageError('--db needs the embedded engine: unset AWS_ENDPOINT_URL_DYNAMODB, or omit --db.');
  }
  if (isDemo && endpoint.includes('amazonaws.com')) {
    throw new UsageError(
      'The demo API keys are public. npm start does not load them into a DynamoDB on AWS.',
    );
  }
  applyEnvironment(customEnvironment());
  return { endpoint, exited: new Promise<void>(() => undefined), stop: async () => undefined };
};

const useEmbeddedEngine = async ({ db }: Options) => {
  const engine = await startEngine(db === undefined ? {} : { dbPath: db });
  applyEnvironment(engineEnvironment(engine.endpoint));
  return engine;
};

/**
 * Uses AWS_ENDPOINT_URL_DYNAMODB, or starts the embedded engine. Creates the tables, loads the data, and sets the
 * environment of this process, which is that of the function.
 *
 * @throws {UsageError} if the database cannot be used
 */
export const openDatabase = async (options: Options): Promise<Database> => {
  const custom = process.env['AWS_ENDPOINT_URL_DYNAMODB'];
  const engine = custom ? useCustomEndpoint(custom, options) : await useEmbeddedEngine(options);
  const { endpoint, exited, stop } = engine;
  const client = new DynamoDBClient({ requestHandler: { connectionTimeout: 2000, requestTimeout: 10_000 } });
  try {
    const tables = await createTables(client).catch((error: unknown) => {
      const message = `The tables could not be created at ${endpoint}: ${reasonOf(error)}.`;
      throw new UsageError(message, { cause: error });
    });
    await loadData(client, tables, options.data);
    applyEnvironment(tables);
    const embedded = options.db === undefined ? 'in memory' : `in ${options.db}`;
    const description = custom ? `DynamoDB at ${endpoint}` : `embedded DynamoDB ${embedded}`;
    return { endpoint, tables, description, engineExited: exited, stop };
  } catch (error) {
    await stop();
    throw error;
  } finally {
    client.destroy();
  }
};
