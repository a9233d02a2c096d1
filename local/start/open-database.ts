import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { Complaint, reasonOf } from '#local/complaint.ts';
import type { Data } from '#local/data/data.ts';
import { loadData } from '#local/data/load-data.ts';
import { startEngine } from '#local/engine/engine.ts';
import type { TableNames } from '#local/service/service.ts';
import { createTables } from '#local/service/tables.ts';
import { applyEnvironment, engineEnvironment, foreignEnvironment } from './aws-environment.ts';
import type { Shutdown } from './shutdown.ts';
import type { StartOptions } from './start-options.ts';

/** A DynamoDB with its tables and data, and the words for it on the ready line. */
export type Database = { endpoint: string; tables: TableNames; description: string };

/**
 * Opens the DynamoDB of AWS_ENDPOINT_URL_DYNAMODB, or starts the embedded engine; creates the tables and loads the
 * data. Sets the environment for this process and the function. Throws a Complaint where that does not work.
 */
export const openDatabase = async (
  { data: dataFile, db }: StartOptions,
  data: Data,
  shutdown: Shutdown,
): Promise<Database> => {
  const foreign = process.env['AWS_ENDPOINT_URL_DYNAMODB'];
  const { endpoint, description } = foreign
    ? useForeign(foreign, { db, isDemo: dataFile === undefined })
    : await useEmbedded(db, shutdown);
  const client = new DynamoDBClient({ requestHandler: { connectionTimeout: 2000, requestTimeout: 10_000 } });
  try {
    const tables = await createTables(client).catch((error: unknown) => {
      throw new Complaint(`The tables could not be created at ${endpoint}: ${reasonOf(error)}.`, {
        cause: error,
      });
    });
    applyEnvironment(tables);
    await loadData(client, tables, data);
    return { endpoint, tables, description };
  } finally {
    client.destroy();
  }
};

type Opened = { endpoint: string; description: string };

const useForeign = (
  endpoint: string,
  { db, isDemo }: { db: string | undefined; isDemo: boolean },
): Opened => {
  if (db !== undefined) {
    throw new Complaint('--db is for the embedded engine: leave it out, or unset AWS_ENDPOINT_URL_DYNAMODB.');
  }
  if (isDemo && endpoint.includes('amazonaws.com')) {
    throw new Complaint('The demo keys are public: npm start does not load them into a DynamoDB on AWS.');
  }
  applyEnvironment(foreignEnvironment(process.env));
  return { endpoint, description: `DynamoDB at ${endpoint}` };
};

const useEmbedded = async (db: string | undefined, shutdown: Shutdown): Promise<Opened> => {
  const engine = await startEngine(db === undefined ? {} : { dbPath: db });
  shutdown.add(engine.stop);
  engine.exited.then(async () => {
    if (shutdown.begun()) return;
    process.stderr.write('The embedded DynamoDB engine ended by itself; start again.\n');
    await shutdown.run();
    process.exit(1);
  });
  applyEnvironment(engineEnvironment(engine.endpoint));
  const description = db === undefined ? 'embedded DynamoDB in memory' : `embedded DynamoDB in ${db}`;
  return { endpoint: engine.endpoint, description };
};
