import { expect, test } from 'vitest';
import { runningProject } from '#test/support/processes.ts';
import { groups } from './cases.ts';
import { smoke, smokeAltered } from './support/run-smoke.ts';

const project = runningProject();

test('this service is fine; what only a deployment has is told as not tried, and the file is as before', async () => {
  const { code, stdout, stderr } = await smoke(project.url);
  expect(stdout).toMatch(
    /\n35 passed, 3 skipped in N s\nThe file has its summary and documentKind back\.\n$/,
  );
  expect(stdout.split('\n').filter((line) => !line.startsWith('ok  '))).toStrictEqual([
    'skip  The certificate is valid, and TLS is 1.2 or newer: not tried, the URL is http',
    'skip  x-request-id comes from the function, beside the apigw-requestid of API Gateway: not tried, no apigw-requestid: there is no API Gateway',
    'skip  API Gateway itself refuses what comes too fast: not tried, --burst N tries it',
    '',
    '35 passed, 3 skipped in N s',
    'The file has its summary and documentKind back.',
    '',
  ]);
  expect({ code, stderr }).toStrictEqual({ code: 0, stderr: '' });
  expect(stdout).not.toContain('demo-editor-key');
  expect(groups.flatMap(({ cases }) => cases)).toHaveLength(21);
});

test('a service that answers 200 to everything is none', async () => {
  const { code, stdout, stderr } = await smokeAltered(project.url, {
    answer: (answer) => ({ ...answer, status: 200, text: '{"key":"demo-editor-key"}' }),
  });
  expect({ code, stdout, stderr }).toStrictEqual({
    code: 1,
    stdout: '',
    stderr:
      'That is not this service, or not as it should be: expected 412 for an If-Match that matches nothing, got 200; {"key":"{apiKeys.editor}"}\n',
  });
});

test('what failed is told with what was sent, expected and got, in the words of the options', async () => {
  const { stdout } = await smokeAltered(project.url, {
    answer: (answer, { method }) => (method === 'GET' ? { ...answer, text: 'demo-editor-key' } : answer),
  });
  expect(stdout).toContain(`FAIL  API Gateway itself refuses another method
        sent      GET /v1/spaces/{space}/files/{file}; if-match: W/"0"; no body
        expected  404; {"message":"Not Found"}
        got       404; {apiKeys.editor}
`);
});
