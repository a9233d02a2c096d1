import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { applyEnvironment, engineEnvironment, foreignEnvironment } from '#local/start/aws-environment.ts';
import { readState } from '#local/start/state-file.ts';
import { Complaint } from '../complaint.ts';
import type { ApiKeyTable } from './store.ts';

/**
 * The table the user means: the one they name, by the ordinary AWS settings; otherwise that of a running
 * `npm start`. Throws a Complaint when there is neither.
 */
export const openTable = (named: string | undefined): ApiKeyTable => {
  const tableName = named || process.env['API_KEYS_TABLE'];
  if (tableName) {
    // An endpoint of one's own is an engine of one's own, which wants any credentials; AWS wants the real ones.
    if (process.env['AWS_ENDPOINT_URL_DYNAMODB']) applyEnvironment(foreignEnvironment(process.env));
    return { documents: createDocuments(), tableName };
  }
  const running = readState();
  if (running === undefined) {
    throw new Complaint('No table to work on: run `npm start`, or name one with --table or API_KEYS_TABLE.');
  }
  applyEnvironment(engineEnvironment(running.endpoint));
  return { documents: createDocuments(), tableName: running.tables.API_KEYS_TABLE };
};

const createDocuments = (): DynamoDBDocumentClient =>
  DynamoDBDocumentClient.from(
    new DynamoDBClient({ requestHandler: { connectionTimeout: 2000, requestTimeout: 10_000 } }),
    { marshallOptions: { removeUndefinedValues: true } },
  );
