import { expect, test } from 'vitest';
import { readConfig } from '#lib/runtime/deps.ts';

const env = { API_KEYS_TABLE: 'Keys', SPACES_TABLE: 'Spaces', FILES_TABLE: 'Files' };

test('the tables are named by the environment', () => {
  expect(readConfig({ ...env, PATH: '/bin' })).toEqual({
    apiKeysTable: 'Keys',
    spacesTable: 'Spaces',
    filesTable: 'Files',
  });
});

test.each([
  [{}, 'not set: API_KEYS_TABLE, SPACES_TABLE, FILES_TABLE'],
  [{ ...env, FILES_TABLE: undefined }, 'not set: FILES_TABLE'],
  [{ ...env, SPACES_TABLE: '' }, 'not set: SPACES_TABLE'],
])('a name that is missing is named: %j', (broken, message) => {
  expect(() => readConfig(broken)).toThrow(message);
});
