import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { expect, test } from 'vitest';
import { bareEnvironment, run, runningProject, settingsFor } from '#test/support/processes.ts';
import { projectRoot } from '#tools/project.ts';
import { warnOfMissingSpaces } from '#tools/tables/data.ts';

/** In place of a deployment. */
const stage = runningProject();
/** How a deployment is reached. */
const remote = () =>
  bareEnvironment({
    ...settingsFor(stage.endpoint),
    HOME: stage.path,
    SPACE_FILES_STATE_DIR: '/nowhere',
    NO_COLOR: '1',
  });
const tables = {
  API_KEYS_TABLE: 'space-files-dev-api-keys',
  SPACES_TABLE: 'space-files-dev-spaces',
  FILES_TABLE: 'space-files-dev-files',
};
const seed = (line: string, more = {}, input = '') =>
  run(['tools/tables/seed.ts', ...line.split(' ')], { ...remote(), ...tables, ...more }, projectRoot, input);
/** What it prints before its last line. */
const list = (apiKeys = 7, spaces = 3, files = 5) => `DynamoDB at ${stage.endpoint}
  space-files-dev-api-keys: ${apiKeys} API keys
  space-files-dev-spaces: ${spaces} spaces
  space-files-dev-files: ${files} files
`;

test('`npm run seed -- new` creates a file of records of our own, which only its owner can read', async () => {
  const file = join(stage.path, 'new.json');
  expect(await seed(`new ${file}`)).toStrictEqual({
    code: 0,
    stdout: 'The file has new API keys: keep it secret.\n',
    stderr: '',
  });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const { apiKeys, spaces, files } = JSON.parse(readFileSync(file, 'utf8'));
  const ids = [...apiKeys, ...spaces, ...files].map(({ tenantId, spaceId }) => spaceId ?? tenantId);
  expect(ids).toEqual(ids.map(() => expect.stringMatching(/^[a-z-]+-[0-9a-f]{12}$/)));
  for (const { key } of apiKeys) expect(key).toMatch(/^sfk_\w{43}$/);
  const written = await seed(`write --yes ${file}`);
  expect(written.stdout).toBe(`${list()}15 records written, 0 existed already.\n`);
  const removed = await seed(`remove ${file}`, {}, 'y\n');
  expect(removed.stdout).toBe(`${list()}Remove these records? [y/N] 15 records are gone.\n`);
});

const demoFile = 'tools/tables/demo-data.json';

test('`npm run seed` uses the engine and the tables of npm start without a question', async () => {
  const { code, stdout } = await run(['tools/tables/seed.ts', 'write', demoFile], stage.env);
  const result = '0 records written, 15 existed already.\n';
  expect({ code, stdout }).toStrictEqual({ code: 0, stdout: list() + result });
});

test('`npm run seed` warns of a file without its space, and leaves what another program has written', async () => {
  const space = { tenantId: 't', spaceId: 'others', ownerId: 'o', visibility: 'public' };
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = new DynamoDBClient({ endpoint: stage.endpoint, region: 'us-east-1', credentials });
  await client.send(new PutItemCommand({ TableName: tables.SPACES_TABLE, Item: marshall(space) }));

  const file = { spaceId: 'own', fileId: 'f', language: 'en', domain: 'd' };
  const data = { apiKeys: [], spaces: [space], files: [file] };
  const dataFile = join(stage.path, 'own.json');
  writeFileSync(dataFile, JSON.stringify(data));
  const change = (command: string) => run(['tools/tables/seed.ts', command, dataFile], stage.env);
  expect([await change('write'), await change('remove')]).toStrictEqual([
    {
      code: 0,
      stdout: `${list(0, 1, 1)}1 records written, 1 existed already.\n`,
      stderr: warnOfMissingSpaces(data),
    },
    {
      code: 0,
      stdout: `${list(0, 1, 1)}1 records are gone. 1 stay, because neither this command nor npm start wrote them.\n`,
      stderr: '',
    },
  ]);
});

/** `yes` is an option of npm too: of the command line, as in `npm run seed write FILE --yes`, or set for all commands. */
const npmHasYes = { npm_lifecycle_event: 'seed', INIT_CWD: projectRoot, npm_config_yes: 'true' };

test('`npm run seed` changes nothing elsewhere without a yes', async () => {
  const stderr = 'Nothing was changed. Answer y, or run `npm run seed -- remove FILE --yes`.\n';
  for (const [answer, more] of [
    ['', {}],
    ['n\n', {}],
    ['', npmHasYes],
  ] as const) {
    const refused = await seed(`remove ${demoFile}`, more, answer);
    expect(refused).toStrictEqual({ code: 1, stdout: `${list()}Remove these records? [y/N] `, stderr });
  }
  for (const more of [{}, npmHasYes]) {
    const { stdout } = await seed(`write --yes ${demoFile}`, more);
    expect(stdout).toBe(`${list()}0 records written, 15 existed already.\n`);
  }
});

test.each([
  [`write --yes ${demoFile}`, { AWS_ENDPOINT_URL_DYNAMODB: '' }, 'The demo API keys are public.'],
  [`write --yes ${demoFile}`, { FILES_TABLE: 'no-such-table' }, 'The table no-such-table does not exist.'],
  ['write --yes package.json', {}, 'The data file cannot be used:'],
  // It never overwrites what exists. A folder, so that a mistake does no harm.
  ['new tools', {}, 'EEXIST: file already exists'],
  // What npm leaves of `npm run seed FILE --remove`.
  [demoFile, {}, 'Usage: npm run seed'],
  ['write', {}, 'Usage: npm run seed'],
  ['delete a', {}, 'Usage: npm run seed'],
])('`npm run seed` refuses %s with %j', async (line, more, problem) => {
  const stderr = expect.stringContaining(problem);
  expect(await seed(line, more)).toStrictEqual({ code: 1, stdout: '', stderr });
});
