import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { reasonOf, UsageError } from '#tools/cli.ts';
import { type Data, loadData } from './data.ts';
import { startEngine } from './engine.ts';
import { applyEnvironment, customEnvironment, engineEnvironment } from './environment.ts';
import { createTables } from './tables.ts';

/** `db` is the file of the embedded engine; without it the data is in memory. */
type Options = { data: Data; isDemo: boolean; db: string | undefined };

/** The user's endpoint, or the embedded engine, with the environment of this process set for it. */
const findEndpoint = async ({ isDemo, db }: Options) => {
  const endpoint = process.env['AWS_ENDPOINT_URL_DYNAMODB'];
  if (!endpoint) {
    const engine = await startEngine(db === undefined ? {} : { dbPath: db });
    applyEnvironment(engineEnvironment(engine.endpoint));
    return { ...engine, description: `embedded DynamoDB ${db === undefined ? 'in memory' : `in ${db}`}` };
  }
  if (db !== undefined) {
    throw new UsageError('--db needs the embedded engine: unset AWS_ENDPOINT_URL_DYNAMODB, or omit --db.');
  }
  if (isDemo && endpoint.includes('amazonaws.com')) {
    throw new UsageError(
      'The demo API keys are public. npm start does not load them into a DynamoDB on AWS.',
    );
  }
  applyEnvironment(customEnvironment());
  return { endpoint, description: `DynamoDB at ${endpoint}`, exited: undefined, stop: undefined };
};

/**
 * Opens the DynamoDB of AWS_ENDPOINT_URL_DYNAMODB, or starts the embedded engine. Creates the tables, loads the data, and
 * sets the environment of this process, which is that of the function.
 *
 * @returns also `exited` and `stop` of the embedded engine
 * @throws {UsageError} if the database cannot be used
 */
export const openDatabase = async (options: Options) => {
  const database = await findEndpoint(options);
  const client = new DynamoDBClient({ requestHandler: { connectionTimeout: 2000, requestTimeout: 10_000 } });
  try {
    const tables = await createTables(client).catch((error: unknown) => {
      const problem = `The tables could not be created at ${database.endpoint}: ${reasonOf(error)}.`;
      throw new UsageError(problem, { cause: error });
    });
    await loadData(client, tables, options.data);
    applyEnvironment(tables);
    return { ...database, tables };
  } catch (error) {
    await database.stop?.();
    throw error;
  } finally {
    client.destroy();
  }
};
