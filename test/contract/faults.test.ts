import { expect, test } from 'vitest';
import { settingsFor } from '#test/support/endpoint.ts';
import { run, runningProject } from '#test/support/processes.ts';
import { startServer } from '#test/support/server.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { allCases, deploymentCases } from './cases/all.ts';
import { createHarness } from './harness.ts';
import { createSend, type HttpRequest, type HttpResponse, type Send } from './http.ts';

const project = runningProject();

/** What a broken service, or gateway, does to a request and its response. */
type Fault = (request: HttpRequest, send: Send) => Promise<HttpResponse>;
const request =
  (alter: (request: HttpRequest) => Partial<HttpRequest>): Fault =>
  (given, send) =>
    send({ ...given, ...alter(given) });
const response =
  (status: number, alter: (response: HttpResponse) => Partial<HttpResponse>): Fault =>
  async (given, send) => {
    const received = await send(given);
    return received.status === status ? { ...received, ...alter(received) } : received;
  };
const body = (from: string | RegExp, to: string) =>
  request((given) => ({ body: String(given.body).replace(from, to) }));
const text = (status: number, from: string, to: string) =>
  response(status, (received) => ({ text: received.text.replace(from, to) }));
const header = (name: string, toValue: (headers: HttpResponse['headers']) => string) =>
  response(200, ({ headers }) => ({ headers: { ...headers, [name]: toValue(headers) } }));

const lastHeaderWins = request(({ headers }) => {
  const names = headers.map(([name]) => name.toLowerCase());
  return { headers: headers.filter((_, index) => names.lastIndexOf(names[index] ?? '') === index) };
});
const withoutIfMatch = request(({ headers }) => ({
  headers: headers.filter(([name]) => name !== 'if-match'),
}));
const decodeTwice = request(({ path }) => ({ path: path.replaceAll('%25', '%') }));
const alwaysPatch = request(() => ({ method: 'PATCH' }));
const gatewayId = header('apigw-requestid', (own) => `${own['x-request-id']}`);
const oldEtag = response(412, ({ headers }) => ({ headers: { ...headers, etag: '"1"' } }));
const writesAnyway: Fault = async (given, send) => {
  if (String(given.body).includes('"x"')) await send({ ...given, body: '{"summary":"A"}' });
  return send(given);
};

/** Runs one case against a service with a fault. */
const runWith = (name: string, fault: Fault) => {
  const send = createSend(project.url);
  const given = [...allCases, ...deploymentCases].find((one) => one.name === name);
  return createHarness((sent) => fault(sent, send)).run(given ?? expect.unreachable(`no case "${name}"`));
};

const noKey = 'A missing API key is rejected';
const twoSpellings = 'x-user-id under two spellings is rejected';
const isAdmin = 'The role admin may update';
const notStrictlyEqual = /request 1: expected .* to strictly equal/;
test.each<[string, Fault, failing: string, error: RegExp]>([
  ['another status', response(401, () => ({ status: 403 })), noKey, /x-error-code: must be equal/],
  ['another message', text(401, 'Key', 'key'), noKey, notStrictlyEqual],
  ['another field of the file', text(200, '{', '{"version":1,'), isAdmin, /NOT have additional/],
  ['no nosniff', header('x-content-type-options', () => ''), isAdmin, /must be equal to constant/],
  ['one request id', header('x-request-id', () => '1'), isAdmin, /x-request-id is not new/],
  ['the request id of the gateway', gatewayId, isAdmin, /x-request-id is the one of API Gateway/],
  ['an API key in a response', header('x-a', () => 'a demo-viewer-key'), isAdmin, /^.*has an API key$/],
  ['one etag', header('etag', () => '"1"'), isAdmin, /etag is not new/],
  ['an old etag with 412', oldEtag, 'The etag of a 412 matches', /request 1: the current etag/],
  ['another file', text(200, 'onboarding.pdf', 'x'), isAdmin, /the file detailed is as the fixture states/],
  ['trimmed text', body(/"summary":"\s+/, '"summary":"'), 'summary keeps a space', notStrictlyEqual],
  ['a rejection that writes', writesAnyway, 'The field "x" is unknown', /request 1: the etag afterwards/],
  ['another method that writes', alwaysPatch, 'PUT changes nothing', /request 1: expected '200' to match/],
  ['If-Match ignored', withoutIfMatch, isAdmin, /cannot be used: .* must get 412.*'200/],
  ['the last of several headers', lastHeaderWins, twoSpellings, notStrictlyEqual],
  ['a path that is decoded twice', decodeTwice, 'A path is not decoded twice', notStrictlyEqual],
])('the fault is found: %s', async (_, fault, failing, error) => {
  await expect(runWith(failing, fault)).rejects.toThrow(error);
});

test('a request keeps the path of the base URL, and its own path as it is written', async () => {
  const { endpoint, received } = await startServer((reply) => reply.end());
  await createSend(`${endpoint}/dev/`)({ method: 'PATCH', path: '/v1/%41?', headers: [], body: '' });
  expect(received[0]?.url).toBe('/dev/v1/%41?');
});

test('npm run smoke says which tables have other keys, and that there is no rate limit', async () => {
  const { send } = createHarness(createSend(project.url));
  await send({ body: '{"summary":"Mine.","documentKind":"guide"}' }, 'detailed');
  const { code, stdout, stderr } = await run(packageJson.scripts.smoke.split(' ').slice(1), {
    ...project.env,
    ...settingsFor(project.endpoint),
    API_KEYS_TABLE: 'no-such-table',
    SPACES_TABLE: 'space-files-dev-files',
    FILES_TABLE: 'space-files-dev-files',
    CONTRACT_URL: project.url,
    SMOKE_BURST: '3',
    NO_COLOR: '1',
  });
  expect(stdout).toContain('2 failed | 29 passed (31)');
  expect(stderr).toContain('The table no-such-table does not exist.');
  const problem = 'The key of the table space-files-dev-files is spaceId (S), then fileId (S).';
  expect(stderr).toContain(`${problem} It must be tenantId (S), then spaceId (S).`);
  expect(stderr).toContain('the responses to 3 requests: expected');
  expect(stdout + stderr).not.toContain('demo-editor-key');
  expect(code).toBe(1);
  // The file has its first values again.
  const { text: restored } = await send({ body: '{"documentKind":"guide"}' }, 'detailed');
  expect(JSON.parse(restored)).toMatchObject({ summary: 'Mine.', documentKind: 'guide' });
});
