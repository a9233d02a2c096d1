import { DescribeTableCommand, DescribeTimeToLiveCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { engineBinary, startEngine } from '#tools/dev-server/engine.ts';
import { createTables } from '#tools/dev-server/tables.ts';
import { openTables } from '../support/tables.ts';

const responds = (endpoint: string) =>
  fetch(endpoint).then(
    ({ ok }) => ok,
    () => false,
  );

test('engines run side by side, each until it is stopped', async () => {
  const engines = await Promise.all([startEngine(), startEngine(), startEngine()]);
  const endpoints = engines.map(({ endpoint }) => endpoint);
  expect(new Set(endpoints).size).toBe(3);
  expect(await Promise.all(endpoints.map(responds))).toStrictEqual([true, true, true]);
  await Promise.all(engines.map(({ stop }) => stop()));
  await Promise.all(engines.flatMap(({ exited, stop }) => [exited, stop()]));
  expect(await Promise.all(endpoints.map(responds))).toStrictEqual([false, false, false]);
});

test('a platform without an engine is told what to do', () => {
  expect(() => engineBinary('sunos', 'sparc')).toThrow(
    'The embedded DynamoDB engine is not installed for sunos-sparc: install @dynoxide/sunos-sparc, ' +
      'or set AWS_ENDPOINT_URL_DYNAMODB, for example to DynamoDB Local.',
  );
});

test('the tables are those of serverless.yml, and a second time nothing happens', async () => {
  const { client } = await openTables('tooling');
  const names = {
    API_KEYS_TABLE: 'tooling-space-files-dev-api-keys',
    SPACES_TABLE: 'tooling-space-files-dev-spaces',
    FILES_TABLE: 'tooling-space-files-dev-files',
  };
  expect(await createTables(client, 'tooling-')).toStrictEqual(names);
  expect(await createTables(client, 'tooling-')).toStrictEqual(names);
  const found = await Promise.all(
    Object.values(names).map(async (TableName) => {
      const { Table } = await client.send(new DescribeTableCommand({ TableName }));
      return [Table?.TableStatus, Table?.KeySchema?.map(({ AttributeName }) => AttributeName)];
    }),
  );
  expect(found).toStrictEqual([
    ['ACTIVE', ['keyHash']],
    ['ACTIVE', ['tenantId', 'spaceId']],
    ['ACTIVE', ['spaceId', 'fileId']],
  ]);
  const { TimeToLiveDescription } = await client.send(
    new DescribeTimeToLiveCommand({ TableName: names.API_KEYS_TABLE }),
  );
  expect(TimeToLiveDescription).toStrictEqual({ AttributeName: 'expiresAt', TimeToLiveStatus: 'ENABLED' });
});
