import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run, runningProject } from '#test/support/processes.ts';

const project = runningProject();
/** Runs `npm run api-key`. */
const runApiKey = (args: string[], input = '', environment: Record<string, string> = {}) =>
  run(['tools/tables/api-key.ts', ...args], { ...project.env, ...environment }, undefined, input);
const usedTable = () => `Table space-files-dev-api-keys in DynamoDB at ${project.endpoint}\n`;

const status = async (key: string) => {
  const path = '/v1/spaces/handbook/files/3f2b8c1e-6a4d-4c57-9e0f-1b7a2d9c5e80';
  const ids = { 'x-api-key': key, 'x-tenant-id': 'acme', 'x-user-id': 'ada' };
  const headers = { ...ids, 'content-type': 'application/json' };
  return (await fetch(project.url + path, { method: 'PATCH', headers, body: '{"summary":"x"}' })).status;
};
const keyIn = (shown: string) => /^sfk_\w{43}$/m.exec(shown)?.[0] ?? '';
const idIn = (shown: string) => /^key_\w{12}/m.exec(shown)?.[0] ?? '';

/* What the commands show is in test/tools/api-key.test.ts. */

test('a created key works until it is rotated, and its successor works until it is revoked', async () => {
  const created = await runApiKey(['create', '--tenant', 'acme', '--role', 'editor', '--name', 'CI bot']);
  const [key, keyId] = [keyIn(created.stdout), idIn(created.stdout)];
  const shown = expect.stringContaining(`\n${keyId}\tacme\tCI bot\teditor\t`);
  expect(created).toStrictEqual({ code: 0, stdout: shown, stderr: usedTable() });

  const rotated = (await runApiKey(['rotate', keyId])).stdout;
  const [newKey, newId] = [keyIn(rotated), idIn(rotated)];
  expect([await status(key), await status(newKey)]).toStrictEqual([200, 200]);
  await runApiKey(['rotate', keyId, '--keep', '0']);
  expect([await status(key), await status(newKey)]).toStrictEqual([401, 200]);
  await runApiKey(['revoke', newId]);
  expect(await status(newKey)).toBe(401);
});

const ofGlobex = expect.stringMatching(/\nkey-globex\tglobex\t/);
const unknown = 'The table has no such API key. It may be incomplete, or expired and removed.\n';
const noRegion = 'The table could not be used: Region is missing.\n';
const advice = ' `list` shows what the command has done.\n';
const noStart = 'No npm start is running. Run it, or set API_KEYS_TABLE, SPACES_TABLE and FILES_TABLE.\n';

/** The state of two running npm start, and of one that SIGKILL has ended. */
mkdirSync(join(project.path, 'two'));
for (const pid of [process.pid, process.ppid, spawnSync('true').pid]) {
  const tables = { API_KEYS_TABLE: 'a', SPACES_TABLE: 'b', FILES_TABLE: 'c' };
  const state = { service: 'http://service', endpoint: 'http://engine', isEmbedded: true, tables };
  writeFileSync(join(project.path, 'two', `npm-start-${pid}.json`), JSON.stringify(state));
}
const choose = `More than one npm start is running. Set AWS_ENDPOINT_URL_DYNAMODB to one of \
http://engine (of http://service), http://engine (of http://service).\n`;

test.each([
  ['identify', 'demo-globex-key\n', 'one', { stdout: ofGlobex, stderr: 'TABLE\n' }],
  ['identify', 'demo-globex-ke', 'one', { code: 1, stderr: `TABLE\n${unknown}` }],
  // The table is on AWS, where only the settings of the user count.
  ['list --table x', '', 'one', { code: 1, stderr: noRegion }],
  ['revoke key_x --table x', '', 'one', { code: 1, stderr: noRegion.replace('\n', advice) }],
  ['list', '', 'two', { code: 1, stderr: choose }],
  ['list', '', 'no', { code: 1, stderr: noStart }],
])(
  '`npm run api-key -- %s` reads "%s" from stdin and finds %s npm start',
  async (line, input, running, expected) => {
    const state = running === 'one' ? project.path : join(project.path, running);
    const { stderr, ...rest } = await runApiKey(line.split(' '), input, { SPACE_FILES_STATE_DIR: state });
    const shown = { ...rest, stderr: stderr.replace(usedTable(), 'TABLE\n') };
    expect(shown).toStrictEqual({ code: 0, stdout: '', ...expected });
  },
);
