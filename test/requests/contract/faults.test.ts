import { expect, test } from 'vitest';
import { run, runningProject, settingsFor } from '#test/support/processes.ts';
import { startServer } from '#test/support/server.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import { allCases } from './cases/all.ts';
import { createHarness } from './harness.ts';
import { createSend, type HttpRequest, type HttpResponse, type Send } from './http.ts';

const project = runningProject();

/** What a broken service, or gateway, does to a request and its response. */
type Fault = (request: HttpRequest, send: Send) => Promise<HttpResponse>;
const response =
  (alter: (response: HttpResponse) => Partial<HttpResponse>): Fault =>
  async (request, send) => {
    const received = await send(request);
    return received.status === 200 ? { ...received, ...alter(received) } : received;
  };
const header = (name: string, value: string) =>
  response(({ headers }) => ({ headers: { ...headers, [name]: value } }));
const moreFields = response(({ text }) => ({ text: text.replace('{', '{"version":1,') }));
const trims: Fault = (request, send) =>
  send({ ...request, body: String(request.body).replace(/"summary":"\s+/, '"summary":"') });
const ignoresIfMatch: Fault = (request, send) =>
  send({ ...request, headers: request.headers.filter(([name]) => name !== 'if-match') });
const writesAnyway: Fault = async (request, send) => {
  if (String(request.body).includes('"x"')) await send({ ...request, body: '{"summary":"A"}' });
  return send(request);
};

/** Runs one case against a service with a fault. */
const runWith = (name: string, fault: Fault) => {
  const send = createSend(project.url);
  const given = allCases.find((one) => one.name === name);
  return createHarness((sent) => fault(sent, send)).run(given ?? expect.unreachable(`no case "${name}"`));
};

const isAdmin = 'The role admin may update';
test.each<[string, Fault, failing: string, error: RegExp]>([
  ['another field of the file', moreFields, isAdmin, /NOT have additional/],
  ['an API key in a response', header('x-a', 'a demo-viewer-key'), isAdmin, /^.*has an API key$/],
  ['the same etag twice', header('etag', '"1"'), isAdmin, /etag is not new/],
  ['trimmed text', trims, 'summary keeps a space', /request 1: expected .* to strictly equal/],
  ['a rejection that writes', writesAnyway, 'The field "x" is unknown', /request 1: the etag afterwards/],
  ['If-Match ignored', ignoresIfMatch, isAdmin, /cannot be used: .* must get 412.*'200/],
])('the suite finds %s', async (_, fault, failing, error) => {
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
  expect(stdout).toMatch(/Tests +2 failed \| \d+ passed/);
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
