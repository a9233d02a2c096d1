import { expect, test } from 'vitest';
import { editableFields } from '#lib/domain/file-patch.ts';
import { run, runningProject, settingsFor } from '#test/support/processes.ts';
import { startServer } from '#test/support/server.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import { allCases } from '../cases/all.ts';
import { createHarness } from './harness.ts';
import { createSend, type HttpRequest, type HttpResponse, type Send } from './http.ts';

const project = runningProject();

/** What a broken service does to a request and its response. */
type Fault = (request: HttpRequest, send: Send) => Promise<HttpResponse>;
const showsKey: Fault = async (request, send) => {
  const { headers, ...response } = await send(request);
  return { ...response, headers: { ...headers, 'x-a': 'a demo-viewer-key' } };
};
const writesAnyway: Fault = async (request, send) => {
  if (String(request.body).includes('"B"')) await send({ ...request, body: '{"summary":"A"}' });
  return send(request);
};
/** The id can be written, and each response has it. */
const writesId = (): Fault => {
  let written = {};
  return async (request, send) => {
    const { id, ...patch } = JSON.parse(String(request.body));
    const response = await send({ ...request, body: JSON.stringify(patch) });
    if (response.status !== 200) return response;
    written = { ...written, ...(id && { id }) };
    return { ...response, text: JSON.stringify({ ...JSON.parse(response.text), ...written }) };
  };
};

/** A suite against a service with a fault, which runs cases by name. */
const createSuite = (fault: Fault, editable?: readonly string[]) => {
  const send = createSend(project.url);
  const { run: runCase, stopped } = createHarness((sent) => fault(sent, send), editable);
  const caseOf = (name: string) =>
    allCases.find((one) => one.name === name) ?? expect.unreachable(`no case "${name}"`);
  return { stopped, runCase: (name: string) => runCase(caseOf(name)) };
};

const isAdmin = 'The role admin may update';
const isTwice = 'A duplicate summary is rejected';
const isReadOnly = 'The field id is read-only';
test.each([
  ['an API key in a response', showsKey, isAdmin, /^.*has an API key$/],
  [
    'a rejection that writes',
    writesAnyway,
    isTwice,
    /^request 1 of the case "A duplicate summary is rejected" has written, although it was rejected/,
  ],
])('the suite finds %s', async (_, fault, failing, error) => {
  await expect(createSuite(fault).runCase(failing)).rejects.toThrow(error);
});

test('the suite names the case that writes a read-only field, and goes on with the file as it was', async () => {
  const { runCase, stopped } = createSuite(writesId(), [...editableFields, 'id']);
  await expect(runCase(isReadOnly)).rejects.toThrow(
    `request 1 of the case "${isReadOnly}" has written, although it expects 400 Field "id" is not editable`,
  );
  expect(stopped()).toBeUndefined();
  await runCase(isAdmin);
});

test('the suite stops, and names the case, if the file cannot be as it was', async () => {
  const { runCase, stopped } = createSuite(writesId());
  await expect(runCase(isReadOnly)).rejects.toThrow('has written, although it expects 400');
  expect(stopped()).toContain(`After the case "${isReadOnly}", the file cannot get its first values back`);
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
