import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { projectRoot } from '#tools/project.ts';
import { settingsFor } from '../support/endpoint.ts';
import { bareEnvironment, run, startProject, temporaryFolder } from '../support/processes.ts';

const folder = temporaryFolder();
afterAll(folder.remove);

const page = readFileSync(join(projectRoot, 'docs', 'operations.md'), 'utf8');
/** The commands of a part of the page, without the indent of a code block. */
const commandsOf = (part = '') => [...part.matchAll(/^ {4}(.+)$/gm)].map(([, command = '']) => command);
const [settings = ''] = commandsOf(page);
const [, checks = ''] = page.split(/^### Check a deployment$/m);
const commands = commandsOf(checks.split(/^##/m)[0]);

const prod = { AWS_REGION: 'eu-west-1', STAGE: 'prod' };
const names = ['api-keys', 'spaces', 'files'].map((name) => `space-files-${prod.STAGE}-${name}`);
const [API_KEYS_TABLE = '', SPACES_TABLE = '', FILES_TABLE = ''] = names;
const tables = { API_KEYS_TABLE, SPACES_TABLE, FILES_TABLE };
const env = (more: Record<string, string> = {}) =>
  bareEnvironment({
    ...settingsFor(inject('endpoint')),
    AWS_REGION: prod.AWS_REGION,
    HOME: folder.path,
    SPACE_FILES_STATE_DIR: join(folder.path, 'state'),
    ...more,
  });

/** A stage that nobody has used: empty tables, and the function with a gateway. */
let stage: Awaited<ReturnType<typeof startProject>>;
beforeAll(async () => {
  stage = await startProject([], env({ ...tables, SPACE_FILES_STATE_DIR: join(folder.path, 'elsewhere') }));
});
afterAll(() => stage.stop());

const seed = (args: string[], more = {}, input = '') =>
  run(['tools/seed.ts', ...args], env({ ...tables, ...more }), projectRoot, input);

test('docs/operations.md leads from empty tables to a green suite, and back', {
  timeout: 300_000,
}, async () => {
  const script = [settings, ...commands].join('\n').replace('https://…', stage.url);
  // The answer to every question.
  const shell = ['-c', 'yes | sh -ec "$0"', script];
  const child = spawn('sh', shell, { cwd: projectRoot, env: env({ NO_COLOR: '1' }), stdio: 'pipe' });
  const closed = once(child, 'close');
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect({ code: (await closed)[0], stderr }).toStrictEqual({ code: 0, stderr: '' });
  const file = join(folder.path, 'space-files-prod.json');
  const lines = stdout
    .split('\n')
    .filter((line) => /^ *Tests |record|secret|DynamoDB at|space-files-prod-/.test(line));
  const list = `DynamoDB at ${inject('endpoint')}
  ${API_KEYS_TABLE}: 7 API keys
  ${SPACES_TABLE}: 3 spaces
  ${FILES_TABLE}: 4 files`;
  expect(lines.join('\n').replace(/ +Tests +/g, 'Tests ')).toBe(`${file} has new API keys: keep it secret.
${list}
Write these records? [y/N] 14 records written, 0 existed already.
Tests 29 passed | 1 skipped (30)
Tests 457 passed | 1 skipped (458)
${list}
Remove these records? [y/N] 14 records removed, 0 do not exist or are not from a data file.`);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  for (const { key } of JSON.parse(readFileSync(file, 'utf8')).apiKeys) {
    expect(key).toMatch(/^sfk_\w{49}$/);
    expect(stdout).not.toContain(key);
  }
});

test('without a yes, and with an invalid record, nothing is written', async () => {
  const [good, bad] = [join(folder.path, 'good.json'), join(folder.path, 'bad.json')];
  expect((await seed(['--new', good])).code).toBe(0);
  expect((await seed(['--new', good])).stderr).toContain('EEXIST');
  const data = JSON.parse(readFileSync(good, 'utf8'));
  writeFileSync(bad, JSON.stringify({ ...data, spaces: [{}], files: [...data.files, {}] }));
  const invalid = await seed([bad, '--yes']);
  expect(invalid.stderr).toMatch(/^spaces\[0\]: .*\nfiles\[4\]: .*\n$/);
  for (const answer of ['', 'n\n']) {
    const { code, stderr } = await seed([good], {}, answer);
    expect({ code, stderr }).toStrictEqual({
      code: 1,
      stderr: 'Nothing was changed. Answer y, or use --yes.\n',
    });
  }
  const last = (stdout: string) => stdout.trim().split('\n').at(-1);
  expect(last((await seed([good, '--yes'])).stdout)).toBe('14 records written, 0 existed already.');
  expect(last((await seed([good, '--yes'])).stdout)).toBe('0 records written, 14 existed already.');
});

test('the engine of npm start is used without a question, and its tables without their names', async () => {
  const own = { SPACE_FILES_STATE_DIR: join(folder.path, 'own') };
  const local = await startProject([], bareEnvironment(own));
  const file = join(projectRoot, 'tools/dev-server/demo-data.json');
  const { code, stdout } = await run(['tools/seed.ts', '--remove', file], bareEnvironment(own));
  await local.stop();
  expect(code).toBe(0);
  expect(stdout).toContain(`DynamoDB at ${local.endpoint}\n  space-files-dev-api-keys: 7 API keys\n`);
  expect(stdout).toContain('\n14 records removed, 0 do not exist or are not from a data file.\n');
});

const demoFile = 'tools/dev-server/demo-data.json';
test.each([
  [['--yes', demoFile], { AWS_ENDPOINT_URL_DYNAMODB: '' }, 'The demo API keys are public.'],
  [['--yes', demoFile], { FILES_TABLE: 'no-such-table' }, 'The table no-such-table does not exist.'],
  [[], {}, 'Usage: npm run seed'],
  [['a', 'b'], {}, 'Usage: npm run seed'],
])('npm run seed -- %j with %j is refused', async (args, more, problem) => {
  const { code, stdout, stderr } = await seed(args, more);
  expect({ code, stdout, stderr }).toStrictEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining(problem),
  });
  expect(existsSync(join(projectRoot, 'a'))).toBe(false);
});
