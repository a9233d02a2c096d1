import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { run, temporaryFolder } from '#test/support/processes.ts';
import { UsageError } from '#tools/cli.ts';
import { runConformance } from './conformance.ts';

const folder = temporaryFolder();
afterAll(folder.remove);
const file = (name: string, text: string): string => {
  writeFileSync(join(folder.path, name), text);
  return join(folder.path, name);
};
const conformance = (...args: string[]) =>
  run(['--import', './tools/node-version.mjs', 'test/conformance/run.ts', ...args]);

const here = ['--url', 'http://localhost:1'];
const broken = file('broken.json', '{"apiKeys": {"editor": "sfk_secret"}');
const unfit = file('unfit.json', '{"apiKeys": {"editor": "sfk_secret"}, "tenantId": "t", "userId": 7}');
const stranger = file('stranger.json', JSON.stringify({ tenantId: 't', userId: 'u', sfk_secret: 1 }));
const absent = join(folder.path, 'absent.json');

test.each([
  ['no service', here, 'The service cannot be reached: connect ECONNREFUSED 127.0.0.1:1.'],
  [
    'no URL',
    [],
    '--url must say where the service is. Run `npm run conformance -- --help` to list the options.',
  ],
  [
    'a text no case has',
    [...here, '--only', 'zzz'],
    'No case has that text in its name; npm run conformance -- --list shows them.',
  ],
  ['a world that is not there', [...here, '--world', absent], `The world file ${absent} does not exist.`],
  ['a world that is no JSON', [...here, '--world', broken], `The world file ${broken} is not valid JSON.`],
  [
    'a world that does not fit',
    [...here, '--world', unfit],
    `${unfit}: userId is missing or unfit; test/conformance/demo-world.json is an example.`,
  ],
  [
    'a world that lacks what every run needs',
    [...here, '--world', stranger],
    `${stranger}: apiKeys is missing or unfit; test/conformance/demo-world.json is an example.`,
  ],
])('%s is complained of in one sentence', async (_, args, sentence) => {
  await expect(runConformance(args)).rejects.toThrow(new UsageError(sentence));
});

test('a complaint is all that is printed', async () => {
  const stderr = 'The service cannot be reached: connect ECONNREFUSED 127.0.0.1:1.\n';
  expect(await conformance(...here)).toStrictEqual({ code: 1, stdout: '', stderr });
});

test('--list names every case under its group, and --help every option', async () => {
  const { code, stdout } = await conformance('--list', '--only', 'revoked');
  expect({ code, stdout }).toStrictEqual({
    code: 0,
    stdout: `API key
  A revoked API key is refused
  Unknown, revoked and expired keys cannot be told apart
`,
  });
  expect((await conformance('--help')).stdout).toContain(
    '  --junit FILE  write the results as JUnit XML, too\n',
  );
});
