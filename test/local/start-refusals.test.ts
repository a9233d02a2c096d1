import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { afterAll, expect, test } from 'vitest';
import { bareEnvironment, run, temporaryFolder } from './support/processes.ts';

const folder = temporaryFolder();
afterAll(folder.remove);
const env = bareEnvironment({ SPACE_FILES_STATE_DIR: folder.path });

test('a port that is taken is one sentence', async () => {
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  const address = holder.address();
  const port = typeof address === 'object' ? String(address?.port) : '';
  expect(await run(['local/start.ts', '--port', port], env)).toStrictEqual({
    code: 1,
    stdout: '',
    stderr: `Port ${port} is taken: stop what listens there, or choose another with --port.\n`,
  });
  expect(readdirSync(folder.path)).toStrictEqual([]);
  holder.close();
});

test.each([
  [['--port', 'x'], '--port must be a number from 0 to 65535.\n'],
  [['--port', '65536'], '--port must be a number from 0 to 65535.\n'],
  [['--verbose'], "Unknown option '--verbose'; npm start -- --help shows what there is.\n"],
  [['--data', '/nowhere/my.json'], 'The data file /nowhere/my.json does not exist.\n'],
  [
    ['--db', '/nowhere/my.db'],
    'The embedded DynamoDB engine did not start with the database file /nowhere/my.db: Internal error: unable to open database file: /nowhere/my.db.\n',
  ],
])('%j is one sentence', async (args, stderr) => {
  expect(await run(['local/start.ts', ...args], env)).toStrictEqual({ code: 1, stdout: '', stderr });
});

test('an endpoint that does not answer is one sentence', async () => {
  const foreign = { ...env, AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:1' };
  expect(await run(['local/start.ts'], foreign)).toStrictEqual({
    code: 1,
    stdout: '',
    stderr: 'The tables could not be created at http://127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1.\n',
  });
});
