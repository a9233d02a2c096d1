import { once } from 'node:events';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { bareEnvironment, run } from '../local/support/processes.ts';
import { runningProject } from '../local/support/running-project.ts';
import type { Group } from './case.ts';
import { groups } from './cases/all.ts';
import { checkBurst, smokeGroups } from './cases/smoke.ts';
import { readFixture, toSmokeFixture } from './fixture.ts';
import { createHarness } from './harness.ts';
import { createHttpClient, type HttpRequest, type HttpResponse } from './http.ts';

const project = runningProject();

type Fault = {
  readonly request?: (request: HttpRequest) => HttpRequest;
  readonly response?: (response: HttpResponse, request: HttpRequest) => HttpResponse;
};

const isHop = (name: string) =>
  /^(host|date|connection|keep-alive|content-length|transfer-encoding)$/i.test(name);

/** A proxy of the service with one fault, below the path /dev. */
const startProxy = async ({ request: alter = (it) => it, response: alterResponse = (it) => it }: Fault) => {
  const client = createHttpClient(new URL(project.url));
  const server = createServer(async (incoming, outgoing) => {
    const { method = '', url = '', rawHeaders } = incoming;
    const headers = rawHeaders.filter((_, index, all) => !isHop(all[index - (index % 2)] ?? ''));
    const sent = { method, path: url.replace('/dev', ''), headers, body: await buffer(incoming) };
    const { body, ...rest } = alter(sent);
    const length = ['content-length', `${body.length}`];
    const response = await client.send({ ...rest, body, headers: [...rest.headers, ...length] });
    const { status, headers: fields, text } = alterResponse(response, sent);
    const kept = Object.entries(fields).filter(([name]) => !isHop(name));
    outgoing.writeHead(status, Object.fromEntries(kept)).end(text);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const close = () => {
    client.close();
    server.closeAllConnections();
    server.close();
  };
  return { url: new URL(`http://127.0.0.1:${Object(address).port}/dev/`), close };
};

/** The names of the cases that fail with a fault, and the distinct first lines of their errors. */
const runWith = async (fault: Fault, selected: readonly Group[], fixture = readFixture()) => {
  const proxy = await startProxy(fault);
  const harness = createHarness(proxy.url, fixture);
  const failed: string[] = [];
  const errors = new Set<string>();
  for (const given of selected.flatMap(({ cases }) => cases))
    await harness.run(given).catch((error: unknown) => {
      failed.push(given.name);
      errors.add(String(error));
    });
  await harness.close().catch(() => undefined);
  proxy.close();
  return { failed, errors: [...errors].join('\n') };
};

const on = (status: number, alter: (response: HttpResponse) => Partial<HttpResponse>): Fault => ({
  response: (response) => (response.status === status ? { ...response, ...alter(response) } : response),
});
const replace = (status: number, from: string, to: string) =>
  on(status, ({ text }) => ({ text: text.replace(from, to) }));
const header = (name: string, toValue: (headers: HttpResponse['headers']) => string) =>
  on(200, ({ headers }) => ({ headers: { ...headers, [name]: toValue(headers) } }));
const body = (alter: (json: string) => string): Fault => ({
  request: (request) => ({ ...request, body: Buffer.from(alter(String(request.body))) }),
});
const path = (from: string, to: string): Fault => ({
  request: (request) => ({ ...request, path: request.path.replaceAll(from, to) }),
});
const withoutIfMatch: Fault = {
  request: ({ headers, ...request }) => ({
    ...request,
    headers: headers.filter((_, at, all) => all[at - (at % 2)]?.toLowerCase() !== 'if-match'),
  }),
};
const lastHeaderWins: Fault = {
  request: ({ headers, ...request }) => {
    const names = headers.map((name, at) => (at % 2 === 0 ? name.toLowerCase() : ''));
    const isLast = (at: number) => names.lastIndexOf(names[at - (at % 2)] ?? '') === at - (at % 2);
    return { ...request, headers: headers.filter((_, at) => isLast(at)) };
  },
};
/** Rejects an unknown field, and writes the other field all the same. */
const writesAnyway: Fault = {
  request: (request) => ({ ...request, body: Buffer.from(String(request.body).replace(',"x":"B"', '')) }),
  response: (response, request) => {
    if (!String(request.body).includes(',"x":"B"')) return response;
    const message = 'Unknown field "x"; editable fields are summary, documentKind';
    const { etag: _, ...headers } = response.headers;
    return { status: 400, headers, text: JSON.stringify({ message }) };
  },
};

const allFail = /^/;
const isKeyCase = /API key/;
const differs = /strictly equal/;
const keptText = /^summary keeps (a space|white space at both ends|the separators U\+2028 and U\+2029)$/;

describe('a fault is found by the cases that are about it', () => {
  test.each<[string, string, Fault, failing: RegExp, error: RegExp]>([
    ['another message', 'API key', replace(401, 'Key', 'key'), allFail, differs],
    ['another status', 'API key', on(401, () => ({ status: 403 })), allFail, differs],
    [
      'another field in an error',
      'API key',
      replace(401, '}', ',"at":""}'),
      isKeyCase,
      /NOT have additional/,
    ],
    [
      'another field of the file',
      'Permission',
      replace(200, '{', '{"version":1,'),
      allFail,
      /NOT have additional/,
    ],
    [
      'no nosniff',
      'Permission',
      header('x-content-type-options', () => ''),
      allFail,
      /must be equal to constant/,
    ],
    [
      'one request id for all',
      'Permission',
      header('x-request-id', () => '1'),
      allFail,
      /x-request-id is not new/,
    ],
    [
      'the request id of API Gateway',
      'Permission',
      header('apigw-requestid', (headers) => `${headers['x-request-id']}`),
      allFail,
      /x-request-id is the one of API Gateway/,
    ],
    [
      'an API key in a response',
      'Permission',
      header('x-a', () => 'demo-viewer-key'),
      allFail,
      /has an API key$/,
    ],
    [
      'a weak etag',
      'Permission',
      header('etag', ({ etag }) => `W/${etag}`),
      allFail,
      /\/etag: must match pattern/,
    ],
    ['one etag for all', 'Permission', header('etag', () => '"1"'), allFail, /etag is not new/],
    [
      'a summary that is trimmed',
      'Text as it was sent',
      body((json) => json.replace(/"summary":"\s+/, '"summary":"')),
      keptText,
      differs,
    ],
    [
      'text that is normalized',
      'Text as it was sent',
      body((json) => json.normalize('NFC')),
      /an e with an accent in two characters$/,
      differs,
    ],
    [
      'null stored as an empty string',
      'Absent, null, value',
      body((json) => json.replace('"summary":null', '"summary":""')),
      /"summary":null|stays cleared|not null/,
      differs,
    ],
    ['If-Match ignored', 'If-Match', withoutIfMatch, allFail, /Expected 412 for a weak If-Match/],
    [
      'a rejection that writes',
      'Names of fields',
      writesAnyway,
      /^The field "x" is unknown$/,
      /changed the file/,
    ],
  ])('%s', async (_, title, fault, failing, error) => {
    const selected = groups.filter((group) => group.title === title);
    const names = selected.flatMap(({ cases }) => cases.map(({ name }) => name));
    const { failed, errors } = await runWith(fault, selected);
    expect(failed).toStrictEqual(names.filter((name) => failing.test(name)));
    expect(errors).toMatch(error);
    expect(errors).not.toContain('demo-viewer-key');
  });

  const smoke = toSmokeFixture(readFixture());
  test.each<[string, Fault, failing: readonly string[]]>([
    [
      'only the last of several headers',
      lastHeaderWins,
      [
        'x-user-id sent twice is rejected',
        'x-user-id sent under two spellings of its name is rejected',
        'x-tenant-id sent twice is rejected',
        'A valid API key sent twice is rejected',
      ],
    ],
    [
      'another body for a path without a route',
      replace(404, 'Not Found', 'No such route'),
      [
        'API Gateway rejects another method',
        'API Gateway rejects another path',
        'API Gateway rejects other letter case',
      ],
    ],
    ['a path that is decoded twice', path('%25', '%'), ['A path is not decoded twice']],
    ['nothing: an id may end at an encoded question mark', path('%3F', '?'), []],
    ['nothing', {}, []],
  ])('of a deployment: %s', async (_, fault, failing) => {
    expect((await runWith(fault, smokeGroups, smoke)).failed).toStrictEqual(failing);
  });

  test('of a deployment: no limit of the request rate', async () => {
    await expect(checkBurst(new URL(project.url), smoke, 20)).rejects.toThrow('the responses to 20 requests');
    let count = 0;
    const limit = on(400, (response) =>
      count++ < 5 ? response : { status: 429, text: '{"message":"Too Many Requests"}' },
    );
    const proxy = await startProxy(limit);
    await checkBurst(proxy.url, smoke, 20);
    proxy.close();
  });
});

test.each<[string, Record<string, string>, problem: RegExp]>([
  ['an unknown key', { apiKey: 'unknown' }, /^Error: The service does not know the API key\. .* 401/],
  [
    'a key without permission',
    { apiKey: 'demo-viewer-key' },
    /^Error: The API key must belong to the tenant/,
  ],
  ['an unknown space', { space: 'none' }, /^Error: The tenant has no such space\. .* 404/],
  ['an unknown file', { file: 'none' }, /^Error: The space has no such file\. .* 404/],
])('the error for %s says what to check', async (_, { apiKey, space, file }, problem) => {
  const { apiKeys, spaces, files, ...rest } = readFixture();
  const fixture = toSmokeFixture({
    ...rest,
    apiKeys: { editor: apiKey ?? apiKeys.editor },
    spaces: { public: space ?? spaces.public },
    files: { detailed: { ...files.detailed, ...(file !== undefined && { id: file }) } },
  });
  const { failed, errors } = await runWith({}, smokeGroups.slice(0, 1), fixture);
  expect(failed).toHaveLength(7);
  expect(errors).toMatch(problem);
});

describe('npm run smoke', () => {
  const ids = [
    '--tenant',
    'acme',
    '--user',
    'grace',
    '--space',
    'handbook',
    '--document-kind',
    'guide',
    '--file',
  ];
  const smoke = (file: string, key: string | undefined) => {
    const args = ['test/contract/smoke.ts', '--url', project.url, ...ids, file];
    return run(args, bareEnvironment({ NO_COLOR: '1', ...(key !== undefined && { SMOKE_API_KEY: key }) }));
  };

  test('checks a service and restores the file', async () => {
    const { code, stdout } = await smoke('3f2b8c1e-6a4d-4c57-9e0f-1b7a2d9c5e80', 'demo-editor-key');
    expect(stdout).toContain('29 passed | 2 skipped');
    expect(stdout).not.toContain('demo-editor-key');
    expect(code).toBe(0);
    const { text } = await createHarness(new URL(project.url), readFixture()).send(
      { body: '{"documentKind":"guide"}' },
      'detailed',
    );
    expect(JSON.parse(text)).toMatchObject({ summary: 'How the first week goes.', documentKind: 'guide' });
  });

  test('fails for another file and without a key', async () => {
    expect(await smoke('none', 'demo-editor-key')).toMatchObject({ code: 1 });
    expect(await smoke('none', undefined)).toStrictEqual({
      code: 1,
      stdout: '',
      stderr: 'SMOKE_API_KEY is missing.\nnpm run smoke -- --help lists the options.\n',
    });
  });
});
