import { expect, test } from 'vitest';
import { checksumOf, generateKey } from '#local/api-key/generate.ts';
import { bareEnvironment, run } from './support/processes.ts';

const env = bareEnvironment({ SPACE_FILES_STATE_DIR: '/nowhere' });
const apiKey = (...args: string[]) => run(['local/api-key.ts', ...args], env);

test('a key is 256 random bits between a prefix and the CRC-32 of what precedes it', () => {
  const key = generateKey();
  expect(key).toMatch(/^sfk_[0-9A-Za-z]{49}$/);
  expect(key.slice(-6)).toBe(checksumOf(key.slice(0, -6)));
  expect(generateKey()).not.toBe(key);
  // The check value that is published with CRC-32: cbf43926 for these nine digits, here in base 62.
  expect(checksumOf('123456789')).toBe('3jZRME');
});

test('without a table and without npm start it says so', async () => {
  expect(await apiKey('list', '--tenant', 't')).toStrictEqual({
    code: 1,
    stdout: '',
    stderr: 'No table to work on: run `npm start`, or name one with --table or API_KEYS_TABLE.\n',
  });
});

test.each([
  [[], 'A command is missing'],
  [['frob'], 'The commands are create, rotate, list, show, identify and revoke'],
  [['create', '--role', 'editor'], '--tenant is missing'],
  [['create', '--tenant', 'acme'], '--role is missing'],
  [['create', '--tenant', 'acme', '--role', 'owner'], '--role must be one of admin, editor, viewer'],
  [
    ['create', '--tenant', 'a,b', '--role', 'editor'],
    '--tenant must be 1 to 128 characters without white space, commas or control characters',
  ],
  [
    ['create', '--tenant', 'a', '--role', 'editor', '--expires', '2020-01-01'],
    '--expires must be in the future',
  ],
  [
    ['create', '--tenant', 'a', '--role', 'editor', '--expires', 'soon'],
    '--expires must be like 2030-01-31 or 2030-01-31T12:00:00Z',
  ],
  [['revoke'], 'revoke needs the id of one key'],
  [['show', 'key_a', 'key_b'], 'show needs the id of one key'],
  [['rotate'], 'rotate needs the id of one key'],
  [['rotate', 'key_a', '--keep', '1', '--until', '2999-01-01'], '--keep and --until exclude each other'],
  [['rotate', 'key_a', '--keep', 'long'], '--keep must be a number of days from 0 to 999'],
  [['rotate', 'key_a', '--keep', '-1'], "Option '--keep' argument is ambiguous"],
  [['rotate', 'key_a', '--until', '2020-01-01'], '--until must be in the future'],
  [['rotate', 'key_a', '--expires', 'soon'], '--expires must be like 2030-01-31 or 2030-01-31T12:00:00Z'],
  [
    ['list', '--tenant', ''],
    '--tenant must be 1 to 128 characters without white space, commas or control characters',
  ],
  [['identify', 'sfk_secret'], 'identify takes the key from stdin, not from the command line'],
])('%j is refused', async (args, problem) => {
  expect(await apiKey(...args)).toStrictEqual({
    code: 1,
    stdout: '',
    stderr: `${problem}; npm run api-key -- --help shows how.\n`,
  });
});
