import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { projectRoot } from '#tools/project.ts';
import { settingsFor } from '../support/endpoint.ts';
import { bareEnvironment, run, startProject, temporaryFolder } from '../support/processes.ts';

const folder = temporaryFolder();
afterAll(folder.remove);

const page = readFileSync(join(projectRoot, 'docs', 'operations.md'), 'utf8');
/** The commands of a part of the page: its code blocks. */
const commandsOf = (part = '') => (part.match(/^ {4}.+$/gm) ?? []).join('\n');
const [settings = ''] = page.match(/^ {4}export .+$/m) ?? [];
const checks = commandsOf(page.split(/^### Check a deployment$/m)[1]?.split(/^##/m)[0]);

const tables = {
  API_KEYS_TABLE: 'space-files-prod-api-keys',
  SPACES_TABLE: 'space-files-prod-spaces',
  FILES_TABLE: 'space-files-prod-files',
};
const env = bareEnvironment({
  ...settingsFor(inject('endpoint')),
  AWS_REGION: 'eu-west-1',
  HOME: folder.path,
  SPACE_FILES_STATE_DIR: folder.path,
  NO_COLOR: '1',
});
const seed = (args: string[], more = {}, input = '') =>
  run(['tools/seed.ts', ...args], { ...env, ...tables, ...more }, projectRoot, input);

/** A stage that nobody has used: empty tables, and the function behind a gateway. */
let stage: Awaited<ReturnType<typeof startProject>>;
beforeAll(async () => {
  stage = await startProject([], { ...env, ...tables });
});
afterAll(() => stage.stop());

test('docs/operations.md leads from empty tables to a green suite, and back', {
  timeout: 300_000,
}, async () => {
  const script = `${settings}\n${checks}`.replace('https://…', stage.url);
  // The answer to every question.
  const child = spawn('sh', ['-c', 'yes | sh -ec "$0"', script], { cwd: projectRoot, env, stdio: 'pipe' });
  const closed = once(child, 'close');
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect({ code: (await closed)[0], stderr }).toStrictEqual({ code: 0, stderr: '' });
  const file = join(folder.path, 'space-files-prod.json');
  const lines = stdout.match(/^ +Tests .*|.*(record|secret|DynamoDB at|^ +space-files-prod-).*/gm) ?? [];
  const list = `DynamoDB at ${inject('endpoint')}
  space-files-prod-api-keys: 7 API keys
  space-files-prod-spaces: 3 spaces
  space-files-prod-files: 4 files`;
  expect(lines.join('\n').replace(/ +Tests .*/g, 'Tests')).toBe(`${file} has new API keys: keep it secret.
${list}
Write these records? [y/N] 14 records written, 0 existed already.
Tests
Tests
${list}
Remove these records? [y/N] 14 records removed, 0 do not exist or are not from a data file.`);
  expect(stdout.match(/Tests +\d+ passed \| 1 skipped/g)).toHaveLength(2);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const { apiKeys, spaces, files } = JSON.parse(readFileSync(file, 'utf8'));
  const ids = [...apiKeys, ...spaces, ...files].map(({ tenantId, spaceId }) => spaceId ?? tenantId);
  expect(ids).toEqual(ids.map(() => expect.stringMatching(/^[a-z-]+-[0-9a-f]{12}$/)));
  for (const { key } of apiKeys) {
    expect(key).toMatch(/^sfk_\w{49}$/);
    expect(stdout).not.toContain(key);
  }
});

test('without a yes, nothing is written, and a second run writes nothing', async () => {
  const file = join(folder.path, 'my.json');
  expect((await seed(['--new', file])).code).toBe(0);
  expect((await seed(['--new', file])).stderr).toContain('EEXIST');
  for (const answer of ['', 'n\n']) {
    const { code, stderr } = await seed([file], {}, answer);
    const refusal = 'Nothing was changed. Answer y, or use --yes.\n';
    expect({ code, stderr }).toStrictEqual({ code: 1, stderr: refusal });
  }
  expect((await seed([file, '--yes'])).stdout).toMatch(/\n14 records written, 0 existed already.\n$/);
  expect((await seed([file, '--yes'])).stdout).toMatch(/\n0 records written, 14 existed already.\n$/);
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
  [`--yes ${demoFile}`, { AWS_ENDPOINT_URL_DYNAMODB: '' }, 'The demo API keys are public.'],
  [`--yes ${demoFile}`, { FILES_TABLE: 'no-such-table' }, 'The table no-such-table does not exist.'],
  ['a b', {}, 'Usage: npm run seed'],
])('npm run seed -- %s with %j is refused', async (line, more, problem) => {
  const stderr = expect.stringContaining(problem);
  expect(await seed(line.split(' '), more)).toStrictEqual({ code: 1, stdout: '', stderr });
});
