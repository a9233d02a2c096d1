import { expect, test } from 'vitest';
import { run, runningProject } from '#test/support/processes.ts';
import { UsageError } from '#tools/cli.ts';
import { runSmoke } from './smoke.ts';

const project = runningProject();

const usual = {
  url: 'http://localhost:1',
  tenant: 'acme',
  user: 'grace',
  space: 'handbook',
  file: '3f2b8c1e-6a4d-4c57-9e0f-1b7a2d9c5e80',
  'api-key': 'demo-editor-key',
};
const toArgs = (options: Record<string, string | undefined>) =>
  Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${value}`]));

test.each([
  ['no URL', { url: undefined }, '--url is missing. Run `npm run smoke -- --help` to list the options.'],
  ['a URL that is none', { url: 'localhost:3000' }, '--url must begin with http:// or https://.'],
  [
    'no tenant',
    { tenant: undefined },
    '--tenant is missing. Run `npm run smoke -- --help` to list the options.',
  ],
  [
    'an id that cannot be one',
    { file: 'a b' },
    '--file must be 1 to 128 characters without white space, commas or control characters.',
  ],
  ['a burst that is no number', { burst: 'many' }, '--burst must be a number from 1 to 99999.'],
  [
    'a key that cannot be one',
    { 'api-key': 'sfk_a\n' },
    'The API key must be up to 512 printable ASCII characters without spaces and commas.',
  ],
  ['no service', {}, 'The service cannot be reached: connect ECONNREFUSED 127.0.0.1:1.'],
])('%s is complained of in one sentence', async (_, options, sentence) => {
  await expect(runSmoke(toArgs({ ...usual, ...options }))).rejects.toThrow(new UsageError(sentence));
});

test.each<[string, Record<string, string>, string]>([
  [
    'a key that is not known',
    { 'api-key': 'sfk_wrong' },
    'The service does not take the API key; npm run api-key -- identify tells whether the table of this stage has it.',
  ],
  [
    'a key that may not write',
    { 'api-key': 'demo-viewer-key' },
    'The API key may not write there: it must be of --tenant, with scope PRODUCT and the role editor or admin, and a private space must be owned by --user.',
  ],
  [
    'a space that is not there',
    { space: 'nowhere' },
    'The tenant has no such space: look at --tenant and --space.',
  ],
  ['a file that is not there', { file: 'nothing' }, 'The space has no such file: look at --file.'],
  ['a URL that goes on', { path: '/v1' }, 'API Gateway has no such route: --url must end before /v1.'],
])('%s is told with what to look at', async (_, { path = '', ...options }, sentence) => {
  const args = toArgs({ ...usual, url: project.url + path, ...options });
  await expect(runSmoke(args)).rejects.toThrow(new UsageError(sentence));
});

test('without a key from anywhere it says so', async () => {
  const args = toArgs({ ...usual, 'api-key': undefined });
  expect(await run(['--import', './tools/node-version.mjs', 'test/smoke/run.ts', ...args])).toStrictEqual({
    code: 1,
    stdout: '',
    stderr: 'No API key came from --api-key, SMOKE_API_KEY or stdin.\n',
  });
});
