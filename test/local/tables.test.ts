import {
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadData } from '#local/data/load-data.ts';
import { type Engine, startEngine } from '#local/engine/engine.ts';
import { createTables } from '#local/service/tables.ts';

let engine: Engine;
let client: DynamoDBClient;
beforeAll(async () => {
  engine = await startEngine();
  client = new DynamoDBClient({
    endpoint: engine.endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
});
afterAll(async () => {
  client.destroy();
  await engine.stop();
});

const describeTable = async (TableName: string) => {
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  return { keys: Table?.KeySchema?.map(({ AttributeName }) => AttributeName), status: Table?.TableStatus };
};

test('the tables of serverless.yml are created, and a second time left alone', async () => {
  const names = {
    API_KEYS_TABLE: 'space-files-dev-api-keys',
    SPACES_TABLE: 'space-files-dev-spaces',
    FILES_TABLE: 'space-files-dev-files',
  };
  expect(await createTables(client)).toStrictEqual(names);
  expect(await createTables(client)).toStrictEqual(names);
  expect({
    apiKeys: await describeTable(names.API_KEYS_TABLE),
    spaces: await describeTable(names.SPACES_TABLE),
    files: await describeTable(names.FILES_TABLE),
  }).toStrictEqual({
    apiKeys: { keys: ['keyHash'], status: 'ACTIVE' },
    spaces: { keys: ['tenantId', 'spaceId'], status: 'ACTIVE' },
    files: { keys: ['spaceId', 'fileId'], status: 'ACTIVE' },
  });
  const ttl = await client.send(new DescribeTimeToLiveCommand({ TableName: names.API_KEYS_TABLE }));
  expect(ttl.TimeToLiveDescription).toStrictEqual({
    AttributeName: 'expiresAt',
    TimeToLiveStatus: 'ENABLED',
  });
});

test('a prefix keeps tables apart', async () => {
  expect(await createTables(client, 'a-')).toStrictEqual({
    API_KEYS_TABLE: 'a-space-files-dev-api-keys',
    SPACES_TABLE: 'a-space-files-dev-spaces',
    FILES_TABLE: 'a-space-files-dev-files',
  });
});

test('data is stored once, keys only as their hash', async () => {
  const tables = await createTables(client, 'data-');
  const apiKey = { key: 'abc', tenantId: 't', scope: 'PRODUCT', roles: ['editor'], createdAt: 1 };
  const file = { spaceId: 's', fileId: 'f', language: 'en', domain: 'd', tags: [] };
  const data = (summary: string | null) => ({ apiKeys: [apiKey], spaces: [], files: [{ ...file, summary }] });
  await loadData(client, tables, data('first'));
  await loadData(client, tables, data(null));
  const scan = async (TableName: string) => (await client.send(new ScanCommand({ TableName }))).Items;
  expect({ keys: await scan(tables.API_KEYS_TABLE), files: await scan(tables.FILES_TABLE) }).toStrictEqual({
    keys: [
      {
        // printf abc | sha256sum
        keyHash: { S: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad' },
        keyId: { S: 'key-ba7816bf8f01' },
        tenantId: { S: 't' },
        scope: { S: 'PRODUCT' },
        roles: { L: [{ S: 'editor' }] },
        createdAt: { N: '1' },
      },
    ],
    files: [
      {
        spaceId: { S: 's' },
        fileId: { S: 'f' },
        language: { S: 'en' },
        domain: { S: 'd' },
        tags: { L: [] },
        summary: { S: 'first' },
      },
    ],
  });
});

test('a record the engine does not take is named by its place', async () => {
  const tables = await createTables(client, 'bad-');
  const spaces = [{ tenantId: 't', spaceId: 'x'.repeat(1025), ownerId: 'o', visibility: 'public' as const }];
  await expect(loadData(client, tables, { apiKeys: [], spaces, files: [] })).rejects.toThrow(
    /^spaces\[0\] could not be stored: /,
  );
});
