import { randomUUID } from 'node:crypto';
import {
  ConditionalCheckFailedException,
  CreateTableCommand,
  DeleteItemCommand,
  DescribeTableCommand,
  DynamoDBClient,
  PutItemCommand,
  ResourceInUseException,
  ResourceNotFoundException,
  type TableDescription,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { fromNodeProviderChain } from '@aws-sdk/credential-providers';
import { getEndpointFromInstructions } from '@smithy/core/endpoints';
import { UsageError } from '#tools/cli.ts';
import { proxyFor } from '#tools/proxy.ts';
import { readServerlessConfig } from '#tools/serverless-config.ts';
import type { TableNames } from './environment.ts';

/** The key of a table in words: `tenantId (S), then spaceId (S)`. S is a string. */
const describeKey = ({ KeySchema = [], AttributeDefinitions = [] }: TableDescription): string => {
  const types = new Map(AttributeDefinitions.map((one) => [one.AttributeName, one.AttributeType]));
  return KeySchema.map(({ AttributeName: name }) => `${name} (${types.get(name)})`).join(', then ');
};

/** The tables of serverless.yml under the given names. The files have their stream, so that consumers can be tried. */
const tablesNamed = (names: TableNames) => {
  const { ApiKeysTable, SpacesTable, FilesTable } = readServerlessConfig().tables;
  return [
    { ...ApiKeysTable, TableName: names.API_KEYS_TABLE },
    { ...SpacesTable, TableName: names.SPACES_TABLE },
    {
      ...FilesTable,
      TableName: names.FILES_TABLE,
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' as const },
    },
  ];
};

/** Throws a UsageError that says in words which tables do not exist, or have another key than in serverless.yml. */
export const checkTables = async (client: DynamoDBClient, names: TableNames): Promise<void> => {
  const problemOf = async (table: ReturnType<typeof tablesNamed>[number]) => {
    const { TableName } = table;
    try {
      const { Table = {} } = await client.send(new DescribeTableCommand({ TableName }));
      const [found, needed] = [describeKey(Table), describeKey(table)];
      return found === needed ? [] : `The key of the table ${TableName} is ${found}. It must be ${needed}.`;
    } catch (error) {
      if (!(error instanceof ResourceNotFoundException)) throw error;
      return `The table ${TableName} does not exist.`;
    }
  };
  const problems = (await Promise.all(tablesNamed(names).map(problemOf))).flat();
  if (problems.length > 0) throw new UsageError(problems.join('\n'));
};

/**
 * Creates the tables that do not exist yet, and waits until they are active. They have no time to live: the function
 * compares expiresAt itself.
 *
 * @throws {UsageError} if an existing table has another key
 */
export const createTables = async (client: DynamoDBClient, names: TableNames): Promise<void> => {
  for (const table of tablesNamed(names)) {
    await client.send(new CreateTableCommand(table)).catch((error: unknown) => {
      if (!(error instanceof ResourceInUseException)) throw error;
    });
    const { TableName } = table;
    await waitUntilTableExists({ client, maxWaitTime: 10, minDelay: 0.05, maxDelay: 0.5 }, { TableName });
  }
  await checkTables(client, names);
};

/**
 * Throws a UsageError for an engine that does not return the item of a rejected write. The function would respond 404 in
 * place of 412. Writes and deletes a file record.
 */
export const checkEngine = async (client: DynamoDBClient, { FILES_TABLE: TableName }: TableNames) => {
  const Item = { spaceId: { S: 'npm-start' }, fileId: { S: randomUUID() } };
  const repeated = new PutItemCommand({
    TableName,
    Item,
    ConditionExpression: 'attribute_not_exists(fileId)',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  await client.send(new PutItemCommand({ TableName, Item }));
  const error: unknown = await client.send(repeated).catch((reason: unknown) => reason);
  await client.send(new DeleteItemCommand({ TableName, Key: Item }));
  if (!(error instanceof ConditionalCheckFailedException && error.Item))
    throw new UsageError(
      'This DynamoDB engine does not support ReturnValuesOnConditionCheckFailure: use another.',
    );
};

/** The address that a client calls: from the environment, from a profile, or of the Region. */
const endpointOf = async (client: DynamoDBClient): Promise<string> => {
  const { url } = await getEndpointFromInstructions({}, DescribeTableCommand, { ...client.config });
  return url.href.replace(/\/$/, '');
};

/**
 * A client for the DynamoDB of the environment, its address, and the settings that a client for its stream needs too. By
 * itself, the SDK would pass by a proxy, also for the credentials of a profile.
 */
export const openClient = async () => {
  // An address of an account needs credentials, which may need the proxy. That of the Region serves each account.
  const options = { accountIdEndpointMode: 'disabled' } as const;
  const none = { accessKeyId: '', secretAccessKey: '' };
  const endpoint = await endpointOf(new DynamoDBClient({ ...options, credentials: none }));
  const agent = { proxyEnv: proxyFor(endpoint) };
  const requestHandler = { httpAgent: agent, httpsAgent: agent };
  const credentials = fromNodeProviderChain({ clientConfig: { requestHandler } });
  const settings = { requestHandler, credentials };
  return { endpoint, settings, client: new DynamoDBClient({ ...options, ...settings }) };
};
