import { test } from 'vitest';
import { deploymentCases } from '#test/requests/cases/all.ts';
import { readTableNames } from '#tools/tables/environment.ts';
import { checkTables, openClient } from '#tools/tables/tables.ts';
import { registerCases } from './suite.ts';

// First: with other keys, every case below gets 500.
test('the tables have the keys of the contract', async ({ skip }) => {
  const { API_KEYS_TABLE, SPACES_TABLE, FILES_TABLE } = process.env;
  skip(
    !(API_KEYS_TABLE && SPACES_TABLE && FILES_TABLE),
    'API_KEYS_TABLE, SPACES_TABLE, FILES_TABLE are not set',
  );
  const { client } = await openClient();
  await checkTables(client, readTableNames());
});

registerCases(deploymentCases);
