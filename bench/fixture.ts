import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { startEngine } from '../tools/dev-server/engine.ts';
import { projectRoot } from '../tools/project.ts';
import { readServerlessConfig } from '../tools/serverless-config.ts';
import { loadData, readData } from '../tools/tables/data.ts';
import { readTableNames } from '../tools/tables/environment.ts';
import { createTables } from '../tools/tables/tables.ts';
import type { Environment } from './process.ts';

const tables = readTableNames();
/** What Lambda sets and the SDK reads. Nothing else of this machine reaches a variant, ~/.aws neither. */
export const environmentOf = (endpoint: string): Environment => ({
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'ASIABENCHBENCHBENCH',
  AWS_SECRET_ACCESS_KEY: 'bench',
  AWS_SESSION_TOKEN: 'bench',
  AWS_EXECUTION_ENV: `AWS_Lambda_${readServerlessConfig().runtime}`,
  AWS_LAMBDA_FUNCTION_NAME: 'space-files-bench',
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '512',
  HOME: '/nonexistent',
  AWS_ENDPOINT_URL_DYNAMODB: endpoint,
  ...tables,
});

const demoData = readData(join(projectRoot, 'tools', 'tables', 'demo-data.json'));

/** Lets `use` work with a DynamoDB engine of its own, which holds the demo data of `npm start`. */
export const withTables = async <Result>(
  use: (environment: Environment) => Promise<Result>,
): Promise<Result> => {
  const { endpoint, stop } = await startEngine();
  try {
    const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
    const client = new DynamoDBClient({ endpoint, region: 'us-east-1', credentials });
    await createTables(client, tables);
    await loadData(client, tables, demoData);
    client.destroy();
    return await use(environmentOf(endpoint));
  } finally {
    await stop();
  }
};
