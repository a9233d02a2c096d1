import { mockClient } from 'aws-sdk-client-mock';
import { createDynamoDBClient } from '#lib/runtime/dynamodb-client.ts';
import { createStore } from '#lib/store/update-file.ts';
import type { System } from '#lib/system.ts';
import { createTestSystem } from './system.ts';

/**
 * A store whose client sends nothing. `inputs` are the inputs of its commands.
 *
 * @param replies the results of the commands in turn, the last one again and again; an error is thrown
 */
export const createMockStore = (replies: readonly object[], overrides: Partial<System> = {}) => {
  const inputs: object[] = [];
  const client = createDynamoDBClient();
  mockClient(client).callsFake(async (input: object) => {
    const reply = replies[Math.min(inputs.push(input), replies.length) - 1];
    if (reply instanceof Error) throw reply;
    return reply;
  });
  const system = createTestSystem(overrides);
  const tables = { client, apiKeysTable: 'Keys', spacesTable: 'Spaces', filesTable: 'Files' };
  return { inputs, system, tables, ...createStore(tables, system) };
};
