import { spawnSync } from 'node:child_process';
import { afterAll, expect, test } from 'vitest';
import { run } from '#test/support/processes.ts';
import { copyClient } from './support/copied-client.ts';
import { type Turn, turn } from './support/faulty-front.ts';
import { useFaultyService } from './support/faulty-service.ts';
import { aClient, anUpdate } from './support/given-client.ts';
import { execute, readBlock } from './support/page.ts';

const { start } = useFaultyService('client-page');
const project = copyClient();
afterAll(project.remove);

const runTypeScript = (heading: string, url: string) =>
  run([project.write('snippet.ts', readBlock(heading, 'ts', url))]);
const printed = (stdout: string) => ({ code: 0, stdout, stderr: '' });
const complained = (stderr: string) => ({ code: 0, stdout: '', stderr });
const busy = turn.answer(503, '', { 'retry-after': '0' });

test('curl repeats, and shows the file and its etag', async () => {
  const { url } = await start(busy);
  const { stdout } = await execute('sh', ['-c', readBlock('curl', 'sh', url)]);
  const [head = '', body = ''] = stdout.slice(stdout.lastIndexOf('HTTP/1.1')).split('\r\n\r\n');
  expect(head).toContain('HTTP/1.1 200 OK');
  expect(head).toContain('etag: "1790000000000000"');
  expect(JSON.parse(body)).toMatchObject({ summary: 'What to do in the first week.', documentKind: 'guide' });
});

test('TypeScript prints the file as it is now', async () => {
  const { url } = await start();
  expect(await runTypeScript('TypeScript', url)).toStrictEqual(
    printed('What to do in the first week. "1790000000000000"\n'),
  );
});

test('TypeScript prints why the service refuses', async () => {
  const { url } = await start(turn.answer(401, '{"message":"Invalid API Key"}', { 'x-request-id': 'r' }));
  expect(await runTypeScript('TypeScript', url)).toStrictEqual(
    complained('invalid-api-key Invalid API Key r\n'),
  );
});

const ifUnchanged = 'Only if nobody else has written since';

test('the second change is built on the answer to the first', async () => {
  const { url } = await start();
  expect(await runTypeScript(ifUnchanged, url)).toStrictEqual(
    printed('How the first week goes. Bring your badge.\n'),
  );
});

test('the second change is refused when another has come first', async () => {
  const another: Turn = async (exchange) => {
    await aClient({ baseUrl: front.service, userId: 'ada' }).updateFile(anUpdate);
    await turn.pass(exchange);
  };
  const front = await start(turn.pass, another);
  expect(await runTypeScript(ifUnchanged, front.url)).toStrictEqual(
    complained('Changed by another; now "1790000000000001"\n'),
  );
});

test('fetch alone clears the summary', async () => {
  const { url } = await start();
  expect(await runTypeScript('TypeScript with fetch alone', url)).toStrictEqual(
    printed('200 null "1790000000000000"\n'),
  );
});

/** Elsewhere a note is enough; CI must have Python. */
const mayBeLeftOut = process.env['CI'] !== 'true' && spawnSync('python3', ['--version']).status !== 0;
if (mayBeLeftOut)
  process.stderr.write('python3 is not here: the Python block of docs/client.md is not run.\n');

test.skipIf(mayBeLeftOut)(
  'Python repeats what may be repeated, and prints the file as it is now',
  async () => {
    const { url } = await start(busy, turn.resetAfter);
    expect(await execute('python3', ['-c', readBlock('Python', 'python', url)])).toStrictEqual({
      stdout: '200 What to do in the first week. "1790000000000001"\n',
      stderr: '',
    });
  },
);

test.skipIf(mayBeLeftOut)('Python prints why the service refuses', async () => {
  const { url } = await start(turn.answer(404, '{"message":"Space not found"}'));
  expect(await execute('python3', ['-c', readBlock('Python', 'python', url)])).toStrictEqual({
    stdout: '404 Space not found None\n',
    stderr: '',
  });
});
