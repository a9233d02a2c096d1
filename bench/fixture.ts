import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { respondAsStub } from '../tools/bundle/stub.ts';
import { startEngine } from '../tools/dev-server/engine.ts';
import { listen } from '../tools/listen.ts';
import { projectRoot } from '../tools/project.ts';
import { readServerlessConfig } from '../tools/serverless-config.ts';
import { loadData, readData } from '../tools/tables/data.ts';
import { readTableNames } from '../tools/tables/environment.ts';
import { createTables } from '../tools/tables/tables.ts';
import { buildFolder } from './build.ts';
import type { Environment } from './process.ts';

const tables = readTableNames();
/** What Lambda sets and the SDK reads. Nothing else of this machine reaches a variant, ~/.aws neither. */
const environmentOf = (endpoint: string): Environment => ({
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

/** Starts a stub of DynamoDB over TLS, and gives the environment of a process that calls it. */
export const startStub = async (): Promise<Environment> => {
  // Installed only when the benchmark starts.
  const { generate } = await import('selfsigned');
  const extensions = [{ name: 'subjectAltName' as const, altNames: [{ type: 7 as const, ip: '127.0.0.1' }] }];
  const { private: key, cert } = await generate([], { keyType: 'ec', algorithm: 'sha256', extensions });
  const authority = join(buildFolder, 'authority.pem');
  mkdirSync(buildFolder, { recursive: true });
  writeFileSync(authority, cert);
  // A variant that pauses between two calls must find its connection open, as at DynamoDB.
  const server = createServer({ key, cert, keepAliveTimeout: 60_000 }, respondAsStub);
  const url = `https://127.0.0.1:${await listen(server)}`;
  // It does not keep this process running.
  server.unref();
  return { ...environmentOf(url), NODE_EXTRA_CA_CERTS: authority };
};
