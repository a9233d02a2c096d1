import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Alteration } from '../conformance/support/altering-proxy.ts';
import { startAlteringProxy } from '../conformance/support/altering-proxy.ts';
import { bareEnvironment, run, startProject, temporaryFolder } from '../local/support/processes.ts';
import { groups } from './cases.ts';

const folder = temporaryFolder();
let project: Awaited<ReturnType<typeof startProject>>;
beforeAll(async () => {
  project = await startProject([], bareEnvironment({ SPACE_FILES_STATE_DIR: folder.path }));
});
afterAll(async () => {
  await project.stop();
  folder.remove();
});

const fileId = '3f2b8c1e-6a4d-4c57-9e0f-1b7a2d9c5e80';
const env = bareEnvironment({ SMOKE_API_KEY: 'demo-editor-key' });
const smoke = async (url: string, ...more: string[]) => {
  const ids = ['--tenant', 'acme', '--user', 'grace', '--space', 'handbook', '--file', fileId];
  const args = ['test/smoke/run.ts', '--url', url, ...ids, '--document-kind', 'guide', ...more];
  const { stdout, ...rest } = await run(['--import', './local/node-version.mjs', ...args], env);
  return { ...rest, stdout: stdout.replace(/\d+\.\d s/, 'N s') };
};

/** The smoke of the service with one fault, and the names of what failed. */
const smokeAltered = async (alteration: Alteration, ...more: string[]) => {
  const proxy = await startAlteringProxy(project.url, alteration);
  const outcome = await smoke(proxy.url, ...more);
  await proxy.close();
  const failing = [...outcome.stdout.matchAll(/^FAIL {2}(.*)$/gm)].map(([, name]) => name);
  return { ...outcome, failing };
};

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
  const { code, stdout, stderr } = await smokeAltered({
    answer: (answer) => ({ ...answer, status: 200, text: '{"key":"demo-editor-key"}' }),
  });
  expect({ code, stdout, stderr }).toStrictEqual({
    code: 1,
    stdout: '',
    stderr:
      'That is not this service, or not as it should be: expected 412 for an If-Match that matches nothing, got 200; {"key":"{apiKeys.editor}"}\n',
  });
});

/** As a gateway that passes on the last of several headers, or decodes a path twice. */
const lastHeaderWins: Alteration = {
  request: (given) => {
    const last = new Map<string, string>();
    for (let at = 0; at < given.headers.length; at += 2)
      last.set((given.headers[at] ?? '').toLowerCase(), given.headers[at + 1] ?? '');
    return { ...given, headers: [...last].flat() };
  },
};
const decodesTwice: Alteration = {
  request: (given) => ({ ...given, path: given.path.replaceAll('%25', '%') }),
};
const cutsIds: Alteration = {
  request: (given) => ({ ...given, path: given.path.replace('%3F', '?') }),
};
const ownNotFound: Alteration = {
  answer: (answer) => ({ ...answer, text: answer.text.replace('Not Found', 'No such route') }),
};
const named = (theirs: (ours: string | undefined) => string): Alteration => ({
  answer: ({ headers, ...rest }) => ({
    ...rest,
    headers: { ...headers, 'apigw-requestid': theirs(headers['x-request-id']) },
  }),
});
const requestIdCheck = 'x-request-id comes from the function, beside the apigw-requestid of API Gateway';

test.each([
  [
    'only the last of several headers reaches the function',
    lastHeaderWins,
    [
      'x-user-id sent twice is refused',
      'x-user-id sent under two spellings of its name is refused',
      'x-tenant-id sent twice is refused',
      'A valid API key sent twice is refused',
    ],
  ],
  [
    'another body for what has no route',
    ownNotFound,
    [
      'API Gateway itself refuses another method',
      'API Gateway itself refuses another path',
      'API Gateway itself refuses the path in other letter case',
    ],
  ],
  ['a path that is decoded twice', decodesTwice, ['A path is not decoded twice']],
  ['the request id of the gateway in the place of ours', named((ours) => ours ?? ''), [requestIdCheck]],
  ['an id that is cut at an encoded question mark, and may be,', cutsIds, []],
  ['nothing', named(() => 'Xyz='), []],
] satisfies [string, Alteration, string[]][])('%s is found', async (_, alteration, failing) => {
  const found = await smokeAltered(alteration);
  expect({ code: found.code, failing: found.failing }).toStrictEqual({
    code: failing.length > 0 ? 1 : 0,
    failing,
  });
});

test('what failed is told with what was sent, expected and got, in the words of the options', async () => {
  const { stdout } = await smokeAltered({
    answer: (answer, { method }) => (method === 'GET' ? { ...answer, text: 'demo-editor-key' } : answer),
  });
  expect(stdout).toContain(`FAIL  API Gateway itself refuses another method
        sent      GET /v1/spaces/{space}/files/{file}; if-match: W/"0"; no body
        expected  404; {"message":"Not Found"}
        got       404; {apiKeys.editor}
`);
});

test('a burst is fine when some of it is refused and the rest served', async () => {
  let count = 0;
  const throttled: Alteration = {
    answer: (answer) => {
      count += answer.text.includes('x-user-id is required') ? 1 : 0;
      const tooMany = answer.text.includes('x-user-id is required') && count > 5;
      return tooMany ? { ...answer, status: 429, text: '{"message":"Too Many Requests"}' } : answer;
    },
  };
  const { code, stdout } = await smokeAltered(throttled, '--burst', '20');
  expect(stdout).toMatch(
    /ok {4}API Gateway itself refuses what comes too fast \(\d+ of 20 were answered 429\)/,
  );
  expect(code).toBe(0);
});

test('a burst that nobody stops is a failure', async () => {
  const { code, stdout } = await smoke(project.url, '--burst', '20');
  expect(stdout).toContain(`FAIL  API Gateway itself refuses what comes too fast
        sent      20 requests without x-user-id, 50 at a time
        expected  some 429; {"message":"Too Many Requests"}, the rest 400 for a missing x-user-id
        got       0 of 20 were answered 429
`);
  expect(code).toBe(1);
});
