import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { createRehearseWrite } from '#lib/store/update-file.ts';
import { createStore } from '#lib/runtime/deps.ts';
import { NOW } from '#test/support/given.ts';

const config = { apiKeysTable: 'Keys', spacesTable: 'Spaces', filesTable: 'Files' };

/** Stores over one client that sends nothing: `table` says what it is answered, `inputs` tells what was asked. */
export const mockStore = () => {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'local-1' }));
  const table = mockClient(client);
  const deps = { client, config, now: () => NOW, random: () => 0 };
  const aStore = (random = deps.random) => createStore({ ...deps, random });
  const rehearseWrite = createRehearseWrite(deps);
  const inputs = () => table.calls().map(({ args }) => args[0].input);
  return { table, aStore, store: aStore(), rehearseWrite, inputs };
};
