import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type Data, loadData, readData } from '../tools/dev-server/data.ts';
import { startEngine } from '../tools/dev-server/engine.ts';
import { readTableNames } from '../tools/dev-server/environment.ts';
import { createTables } from '../tools/dev-server/tables.ts';
import { projectRoot } from '../tools/project.ts';

/** The environment variables of a process that has loaded a variant. */
export type Environment = Readonly<Record<string, string>> & { readonly AWS_ENDPOINT_URL_DYNAMODB: string };

/** What Lambda sets and the SDK reads. Nothing else of this machine reaches a variant, ~/.aws neither. */
const lambdaEnvironment = {
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'ASIABENCHBENCHBENCH',
  AWS_SECRET_ACCESS_KEY: 'bench',
  AWS_SESSION_TOKEN: 'bench',
  AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
  AWS_LAMBDA_FUNCTION_NAME: 'space-files-bench',
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '512',
  HOME: '/nonexistent',
};

const demoData = readData(join(projectRoot, 'tools', 'dev-server', 'demo-data.json'));

/** Lets `use` work with a DynamoDB engine of its own, which holds the demo data of `npm start` and the given files. */
export const withTables = async <Result>(
  files: Data['files'],
  use: (environment: Environment) => Promise<Result>,
): Promise<Result> => {
  const { endpoint, stop } = await startEngine();
  try {
    const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
    const client = new DynamoDBClient({ endpoint, region: 'us-east-1', credentials });
    const tables = readTableNames();
    await createTables(client, tables);
    await loadData(client, tables, { ...demoData, files: [...demoData.files, ...files] });
    client.destroy();
    return await use({ ...lambdaEnvironment, ...tables, AWS_ENDPOINT_URL_DYNAMODB: endpoint });
  } finally {
    await stop();
  }
};
