import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
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
  const engines = await Promise.all([startEngine(), startEngine()]);
  const endpoints = engines.map(({ endpoint }) => endpoint);
  expect(await Promise.all(endpoints.map(responds))).toStrictEqual([true, true]);
  await engines[0]?.stop();
  expect(await Promise.all(endpoints.map(responds))).toStrictEqual([false, true]);
  await Promise.all(engines.flatMap(({ exited, stop }) => [exited, stop()]));
});

test('without an engine for the platform, the error says what to do', () => {
  expect(() => engineBinary('@dynoxide/sunos-sparc')).toThrow(
    'The embedded DynamoDB engine is not installed: install @dynoxide/sunos-sparc, ' +
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
});
