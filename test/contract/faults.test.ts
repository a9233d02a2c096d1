import { once } from 'node:events';
import { createServer } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { bareEnvironment, run, runningProject } from '#test/support/processes.ts';
import type { Case } from './case.ts';
import { groups, smokeGroups } from './cases/all.ts';
import { readFixture, toSmokeFixture } from './fixture.ts';
import { checkRateLimit, createHarness } from './harness.ts';
import { createTransport, type HttpRequest, type HttpResponse } from './http.ts';

const project = runningProject();

/** What a broken service does to a request and to a response. */
type Fault = {
  readonly request?: (request: HttpRequest) => HttpRequest;
  readonly response?: (response: HttpResponse, request: HttpRequest) => HttpResponse;
};
const startFaulty = ({ request: alter = (it) => it, response: alterResponse = (it) => it }: Fault) => {
  const { send, close } = createTransport(new URL(project.url));
  return { send: async (request: HttpRequest) => alterResponse(await send(alter(request)), request), close };
};

/** The names of the cases that fail with a fault, and the distinct errors. */
const runWith = async (fault: Fault, cases: readonly Case[], fixture = readFixture()) => {
  const harness = createHarness(startFaulty(fault), fixture);
  const failed: string[] = [];
  const errors = new Set<string>();
  for (const given of cases)
    await harness.run(given).catch((error: unknown) => {
      failed.push(given.name);
      errors.add(String(error));
    });
  await harness.close().catch(() => undefined);
  return { failed, errors: [...errors].join('\n') };
};

const on = (status: number, alter: (response: HttpResponse) => Partial<HttpResponse>): Fault => ({
  response: (response) => (response.status === status ? { ...response, ...alter(response) } : response),
});
const text = (status: number, from: string, to: string) =>
  on(status, (response) => ({ text: response.text.replace(from, to) }));
const header = (name: string, toValue: (headers: HttpResponse['headers']) => string) =>
  on(200, ({ headers }) => ({ headers: { ...headers, [name]: toValue(headers) } }));
const path = (from: string, to: string): Fault => ({
  request: (request) => ({ ...request, path: request.path.replaceAll(from, to) }),
});

const withBody = (request: HttpRequest, alter: (json: string) => string): HttpRequest => {
  const body = Buffer.from(alter(String(request.body)));
  const headers = request.headers.map((value, at, all) =>
    all[at - 1] === 'content-length' ? `${body.length}` : value,
  );
  return { ...request, body, headers };
};
const body = (alter: (json: string) => string): Fault => ({ request: (request) => withBody(request, alter) });

const withHeaders = (keep: (name: string, at: number, names: readonly string[]) => boolean): Fault => ({
  request: ({ headers, ...request }) => {
    const names = headers.map((name, at) => (headers[at - (at % 2)] ?? name).toLowerCase());
    return { ...request, headers: headers.filter((_, at) => keep(names[at] ?? '', at, names)) };
  },
});
const withoutIfMatch = withHeaders((name) => name !== 'if-match');
const lastHeaderWins = withHeaders(
  (name, at, names) => names.lastIndexOf(name) - (at % 2 === 0 ? 1 : 0) === at,
);

/** Rejects an unknown field, but writes the other field. */
const writesAnyway: Fault = {
  request: (request) => withBody(request, (json) => json.replace(',"x":"B"', '')),
  response: ({ headers: { etag, ...headers }, ...response }, request) => {
    const message = 'Unknown field "x"; editable fields are summary, documentKind';
    const isRejected = String(request.body).includes(',"x":"B"');
    if (isRejected) return { headers, status: 400, text: JSON.stringify({ message }) };
    return { ...response, headers: etag === undefined ? headers : { ...headers, etag } };
  },
};

const isKept = /^summary keeps (a space|white space at both ends|the separators U\+2028 and U\+2029)$/;
const all = /^/;

describe('a fault is found', () => {
  test.each<[string, group: string, Fault, failing: RegExp, error: RegExp]>([
    ['another message', 'API key', text(401, 'Key', 'key'), all, /to strictly equal/],
    ['another status', 'API key', on(401, () => ({ status: 403 })), all, /to strictly equal/],
    ['another field in an error', 'API key', text(401, '}', ',"at":""}'), all, /NOT have additional/],
    ['another field of the file', 'Permission', text(200, '{', '{"version":1,'), all, /NOT have additional/],
    [
      'no nosniff',
      'Permission',
      header('x-content-type-options', () => ''),
      all,
      /must be equal to constant/,
    ],
    [
      'one request id for all',
      'Permission',
      header('x-request-id', () => '1'),
      all,
      /x-request-id is not new/,
    ],
    [
      'no request id of the function',
      'Permission',
      header('apigw-requestid', (own) => `${own['x-request-id']}`),
      all,
      /the one of API Gateway/,
    ],
    [
      'an API key in a response',
      'Permission',
      header('x-a', () => 'demo-viewer-key'),
      all,
      /has an API key$/,
    ],
    ['a weak etag', 'Permission', header('etag', ({ etag }) => `W/${etag}`), all, /etag: must match pattern/],
    ['one etag for all', 'Permission', header('etag', () => '"1"'), all, /etag is not new/],
    [
      'trimmed text',
      'Text as it was sent',
      body((json) => json.replace(/"summary":"\s+/, '"summary":"')),
      isKept,
      /strictly/,
    ],
    [
      'normalized text',
      'Text as it was sent',
      body((json) => json.normalize('NFC')),
      /in two characters$/,
      /strictly/,
    ],
    [
      'null as a string',
      'Absent, null, value',
      body((json) => json.replace('y":null', 'y":""')),
      /y":null|stays|not null/,
      /strictly/,
    ],
    ['If-Match ignored', 'If-Match', withoutIfMatch, all, /Expected 412 for a weak If-Match/],
    [
      'a rejection that writes',
      'Names of fields',
      writesAnyway,
      /^The field "x" is unknown$/,
      /changed the file/,
    ],
  ])('%s', async (_, group, fault, failing, error) => {
    const cases = groups[group] ?? [];
    const { failed, errors } = await runWith(fault, cases);
    expect(failed).toStrictEqual(cases.map(({ name }) => name).filter((name) => failing.test(name)));
    expect(errors).toMatch(error);
    expect(errors).not.toContain('demo-viewer-key');
  });

  const smoke = toSmokeFixture(readFixture());
  const twice = ['x-user-id sent twice is rejected', 'x-user-id under two spellings is rejected'];
  const alsoTwice = ['x-tenant-id sent twice is rejected', 'A valid API key sent twice is rejected'];
  const noRoute = ['Another method is rejected', 'Another path is rejected', 'Other letter case is rejected'];
  test.each<[string, Fault, failing: readonly string[]]>([
    ['only the last of several headers', lastHeaderWins, [...twice, ...alsoTwice]],
    ['another body for a path without a route', text(404, 'Not Found', 'No route'), noRoute],
    ['a path that is decoded twice', path('%25', '%'), ['A path is not decoded twice']],
    ['nothing: an id may end at an encoded question mark', path('%3F', '?'), []],
    ['nothing', {}, []],
  ])('of a deployment: %s', async (_, fault, failing) => {
    const { failed } = await runWith(fault, Object.values(smokeGroups).flat(), smoke);
    expect(failed.toSorted()).toStrictEqual(failing.toSorted());
  });

  test('no limit of the request rate', async () => {
    let count = 0;
    const limited = on(400, (response) =>
      count++ < 5 ? response : { status: 429, text: '{"message":"Too Many Requests"}' },
    );
    await checkRateLimit(startFaulty(limited), 20);
    await expect(checkRateLimit(startFaulty({}), 20)).rejects.toThrow('the responses to 20 requests');
  });
});

test.each([
  ['apiKeys', { editor: 'unknown' }, 'The service does not know the API key.'],
  ['apiKeys', { editor: 'demo-viewer-key' }, 'The API key must belong to the tenant'],
  ['spaces', { public: 'none' }, 'The tenant has no such space.'],
  ['files', { detailed: { id: 'none' } }, 'The space has no such file.'],
])('the error for other %s %j says what to check', async (part, values, problem) => {
  const { errors } = await runWith({}, (groups['Size'] ?? []).slice(0, 1), {
    ...readFixture(),
    [part]: values,
  });
  expect(errors).toContain(problem);
});

describe('the transport', () => {
  const startServer = async (isClosing: (count: number) => boolean) => {
    let count = 0;
    const server = createServer(({ method, url, rawHeaders, socket }, response) => {
      count += 1;
      if (isClosing(count)) return void socket.destroy();
      response.writeHead(200, ['X-A', '1', 'x-a', '2']).end(JSON.stringify({ method, url, rawHeaders }));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const host = `127.0.0.1:${Object(server.address()).port}`;
    const transport = createTransport(new URL(`http://${host}/dev/`));
    onTestFinished(() => {
      transport.close();
      server.close();
    });
    return { host, send: transport.send };
  };
  const headers = ['A', '1', 'a', '2', 'content-length', '2'];
  const request = { method: 'PATCH', path: '/v1/%41?', headers, body: Buffer.from('{}') };

  test('sends a request as it is written, below the path of the base URL', async () => {
    const { host, send } = await startServer(() => false);
    const { status, headers: received, text: json } = await send(request);
    expect([status, received['x-a']]).toStrictEqual([200, '1, 2']);
    const rawHeaders = ['host', host, ...headers, 'Connection', 'keep-alive'];
    expect(JSON.parse(json)).toStrictEqual({ method: 'PATCH', url: '/dev/v1/%41?', rawHeaders });
  });

  test('opens a closed connection again, but only once', async () => {
    const { send } = await startServer((count) => count === 2 || count > 3);
    expect([(await send(request)).status, (await send(request)).status]).toStrictEqual([200, 200]);
    await expect(send(request)).rejects.toThrow('does not respond');
  });
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
  const smoke = (file: string, env: Record<string, string>) =>
    run(
      ['test/contract/smoke.ts', '--url', project.url, ...ids, file],
      bareEnvironment({ NO_COLOR: '1', ...env }),
    );

  test('checks a service, does not show the key, and restores the file', async () => {
    const { code, stdout } = await smoke('3f2b8c1e-6a4d-4c57-9e0f-1b7a2d9c5e80', {
      SMOKE_API_KEY: 'demo-editor-key',
    });
    expect(stdout).toContain('29 passed | 1 skipped');
    expect(stdout).not.toContain('demo-editor-key');
    expect(code).toBe(0);
    const harness = createHarness(createTransport(new URL(project.url)), readFixture());
    const { text: json } = await harness.send({ body: '{"documentKind":"guide"}' }, 'detailed');
    await harness.close();
    expect(JSON.parse(json)).toMatchObject({ summary: 'How the first week goes.', documentKind: 'guide' });
  });

  test('fails for an unknown file, and without a key', async () => {
    expect(await smoke('none', { SMOKE_API_KEY: 'demo-editor-key' })).toMatchObject({ code: 1 });
    const stderr = 'Error: SMOKE_API_KEY is missing\nRun `npm run smoke -- --help` to list the options.\n';
    expect(await smoke('none', {})).toStrictEqual({ code: 1, stdout: '', stderr });
  });
});
