import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import type { Environment } from '#lib/context.ts';
import { createStore, toDocumentClient } from '#lib/runtime/deps.ts';
import { createEnvironment } from './environment.ts';

/**
 * A store whose client sends nothing. `inputs` are the inputs of its commands.
 *
 * @param replies the results of the commands in turn, the last one again and again; an error is thrown
 */
export const createMockStore = (replies: readonly object[], overrides: Partial<Environment> = {}) => {
  const client = toDocumentClient(new DynamoDBClient({ region: 'local-1' }));
  const table = mockClient(client);
  const left = [...replies];
  table.onAnyCommand().callsFake(() => {
    const reply = left.length > 1 ? left.shift() : left[0];
    if (reply instanceof Error) throw reply;
    return reply;
  });
  const environment = createEnvironment(overrides);
  const names = { apiKeysTable: 'Keys', spacesTable: 'Spaces', filesTable: 'Files' };
  const inputs = () => table.calls().map(({ args }) => args[0].input);
  return { table, inputs, environment, ...createStore({ client, ...names }, environment) };
};
