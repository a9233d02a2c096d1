import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, expect, inject, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import {
  bareEnvironment,
  copyProject,
  execute,
  run,
  runningProject,
  startProject,
} from '#test/support/processes.ts';
import { forwardTo, jsonReply, startServer } from '#test/support/server.ts';
import { freeAddress } from '#tools/dev-server/engine.ts';
import { listen } from '#tools/listen.ts';
import { projectRoot } from '#tools/project.ts';
import { warnOfMissingSpaces } from '#tools/tables/data.ts';
import packageJson from '../../../package.json' with { type: 'json' };

const demo = runningProject();
const state = join(demo.path, 'state');
const env = bareEnvironment({ SPACE_FILES_STATE_DIR: state });
const at = (endpoint: string) => ({ AWS_ENDPOINT_URL_DYNAMODB: endpoint });

const update = (url: string, apiKey: string, data: object | string) => {
  const headers = { 'content-type': 'application/json', 'x-api-key': apiKey };
  const ids = { 'x-tenant-id': 'acme', 'x-user-id': 'grace' };
  const body = typeof data === 'string' ? data : JSON.stringify(data);
  return fetch(url, { method: 'PATCH', headers: { ...headers, ...ids }, body });
};

test('`npm start` prints its address, and a line for each request', async () => {
  const path = '/v1/spaces/handbook/files/3f2b8c1e-6a4d-4c57-9e0f-1b7a2d9c5e80';
  await update(demo.url + path, 'demo-editor-key', { summary: 'x' });
  await update(demo.url + path, 'demo-viewer-key', { summary: 'x' });
  const wrong = { id: 'a', summary: 1, documentKind: null, sfk_a: 1, sfk_b: 2 };
  await update(demo.url + path, 'demo-editor-key', wrong);
  await update(demo.url + path, 'demo-editor-key', '{"tags":1,"tags":1}');
  await update(demo.url + path, 'demo-editor-key', '{"sfk_a":1,"sfk_a":1}');
  await fetch(`${demo.url}/v1`);
  await expect
    .poll(() => demo.printed().replace(/\d+ ms/g, 'N ms'))
    .toBe(
      `space-files ${packageJson.version} is ready at ${demo.url} (DynamoDB at ${demo.endpoint})
Try it at ${demo.url}/docs, or in a shell:

    curl -i -X PATCH ${demo.url}${path} \\
      -H 'content-type: application/json' -H 'x-api-key: demo-editor-key' \\
      -H 'x-tenant-id: acme' -H 'x-user-id: grace' -d '{"summary": "What to do in the first week."}'

Press Ctrl-C to stop it.

PATCH ${path}  200  N ms  updated
PATCH ${path}  403  N ms  permission-denied: no role of the key grants files:update
PATCH ${path}  400  N ms  patch-invalid: fields do not fit: id, summary, 2 unknown
PATCH ${path}  400  N ms  patch-invalid: a field is sent twice: tags
PATCH ${path}  400  N ms  patch-invalid: a field is sent twice: 1 unknown
GET /v1  404  N ms  Not Found (from the gateway)
`,
    );
});

test('the request that `npm start` prints updates a file of the demo data', async () => {
  const [, command = ''] = /in a shell:\n\n(.+?)\n\n/s.exec(demo.printed()) ?? [];
  const { stdout } = await execute('sh', ['-c', command], { env, cwd: demo.path });
  expect(stdout).toMatch(/^HTTP\/1\.1 200 OK\r\n.*"summary":"What to do in the first week\."/s);
});

// Not in a bare environment: nothing but `npm start` itself may keep this shell and this home away from the SDK.
test.each([
  ['its engine', () => ({})],
  ['a local DynamoDB', () => at(demo.endpoint)],
])(
  '`npm start` on %s needs nothing of the shell and the home of a user of AWS, and shows nothing of them',
  async (_, more) => {
    const home = join(projectRoot, 'test', 'support', 'user-of-aws');
    const variables = parseEnv(readFileSync(join(home, 'variables.env'), 'utf8'));
    const own = { HOME: home, SPACE_FILES_STATE_DIR: state };
    const noFiles = { AWS_CONFIG_FILE: undefined, AWS_SHARED_CREDENTIALS_FILE: undefined };
    const project = await startProject([], { ...process.env, ...noFiles, ...variables, ...own, ...more() });
    const path = '/v1/spaces/handbook/files/3f2b8c1e-6a4d-4c57-9e0f-1b7a2d9c5e80';
    const { status } = await update(project.url + path, 'demo-editor-key', { summary: 'x' });
    const { stderr } = await project.stop();
    expect({ status, stderr }).toStrictEqual({ status: 200, stderr: '' });
    expect(project.printed()).not.toContain('of-the-user');
  },
);

test('`npm start` leads / to a page that shows openapi.yaml for this server and asks no other host', async () => {
  const response = await fetch(demo.url);
  expect(response.url).toBe(`${demo.url}/docs`);
  const page = await response.text();
  const description = parse(readFileSync(join(projectRoot, 'openapi.yaml'), 'utf8'));
  const [scheme] = Object.keys(description.components.securitySchemes);
  expect(page).toContain(`preauthorizeApiKey('${scheme}', 'demo-editor-key')`);
  expect(page).toContain('validatorUrl: null');
  const get = async (path: string) => [path, await (await fetch(demo.url + path)).text()];
  expect(await Promise.all((page.match(/\/docs\/[^"']+/g) ?? []).map(get))).toStrictEqual([
    ['/docs/swagger-ui.css', expect.stringContaining('.swagger-ui')],
    ['/docs/swagger-ui-bundle.js', expect.stringContaining('SwaggerUIBundle')],
    ['/docs/openapi.json', JSON.stringify({ ...description, servers: [{ url: '/' }] })],
  ]);
});

test('`npm start --db` keeps own data after a restart, and nothing else stays, even after SIGKILL', async () => {
  // Ids that must be encoded, and an API key that must not be printed.
  const data = {
    apiKeys: [{ key: 'my secret', tenantId: 'acme', scope: 'PRODUCT', roles: ['editor'] }],
    spaces: [{ tenantId: 'acme', spaceId: 'a/b', ownerId: 'grace', visibility: 'private' }],
    files: ['a/b', 'c'].map((spaceId) => ({
      spaceId,
      fileId: "it's",
      language: 'en',
      domain: 'd',
      tags: [],
    })),
  };
  const [dataFile, dbFile] = [join(demo.path, 'own.json'), join(demo.path, 'data.db')];
  writeFileSync(dataFile, JSON.stringify(data));
  const path = "/v1/spaces/a%252Fb/files/it's";
  const engineIsGone = async (endpoint: string) => {
    const responds = () => fetch(endpoint).then(Boolean, () => false);
    await expect.poll(responds, { timeout: 10_000 }).toBe(false);
  };
  const first = await startProject(['--data', dataFile, '--db', dbFile, '--log'], env);
  await update(first.url + path, 'my secret', { summary: 'kept' });
  expect(await first.stop('SIGTERM')).toStrictEqual({ code: 0, stderr: warnOfMissingSpaces(data) });
  expect(first.printed()).toContain('"outcome":"updated"');
  expect(first.printed()).not.toContain('my secret');
  expect(readdirSync(state)).toStrictEqual([]);
  await engineIsGone(first.endpoint);

  const second = await startProject(['--db', dbFile], env);
  const response = await update(second.url + path, 'my secret', { documentKind: null });
  expect(await response.json()).toMatchObject({ summary: 'kept', documentKind: null });
  await second.stop('SIGKILL');
  await engineIsGone(second.endpoint);
});

test('`npm start --watch` loads what is saved, and keeps what runs if it cannot be built', async () => {
  const copy = join(demo.path, 'copy');
  copyProject(copy);
  const project = await startProject(['--watch'], env, copy);
  const file = join(copy, 'lib/http/responses.ts');
  const source = readFileSync(file, 'utf8');
  const save = (message: string) => writeFileSync(file, source.replace("'Invalid API Key'", message));
  /** As most editors, `sed -i` and `git checkout` do. */
  const saveByRename = (path: string, text: string) => {
    writeFileSync(join(copy, 'saved'), text);
    renameSync(join(copy, 'saved'), path);
  };
  const message = async () => {
    const response = await update(`${project.url}/v1/spaces/s/files/f`, 'none', { summary: null });
    return z.object({ message: z.string() }).parse(await response.json()).message;
  };
  expect(await message()).toBe('Invalid API Key');
  save("'One'");
  await expect.poll(message, { timeout: 30_000 }).toBe('One');
  save('=');
  await expect
    .poll(project.stderr, { timeout: 30_000 })
    .toContain('The function runs as it was before: Build failed with 1 error');
  expect(await message()).toBe('One');
  // A file in a new folder is watched too.
  const added = join(copy, 'lib/new/folder/text.ts');
  mkdirSync(dirname(added), { recursive: true });
  writeFileSync(added, "export const text = 'Two';");
  saveByRename(
    file,
    `import { text } from '#lib/new/folder/text.ts';${source.replace("'Invalid API Key'", 'text')}`,
  );
  for (const text of ['Two', 'Three', 'Four']) {
    saveByRename(added, `export const text = '${text}';`);
    await expect.poll(message, { timeout: 30_000 }).toBe(text);
  }
  await project.stop();
});

test('`serverless invoke local` runs the function on the engine of a running npm start', async () => {
  const args = ['invoke', 'local', '-f', 'updateFile', '-p', 'events/cleared.json', '--stage', 'other'];
  const invokeLocal = (env: NodeJS.ProcessEnv) =>
    run(['node_modules/serverless/bin/serverless.js', ...args], env);
  const [connected, alone] = await Promise.all([
    invokeLocal(demo.env),
    invokeLocal({ ...demo.env, SPACE_FILES_STATE_DIR: '/nowhere' }),
  ]);
  // Its stdout says what went wrong.
  expect(connected).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ +"statusCode": 200,$/m) });
  expect(alone.code).toBe(1);
  expect(alone.stdout).toContain('No engine is running: run `npm start` first');
});

const holder = createServer();
const taken = await listen(holder);
afterAll(async () => void (await once(holder.close(), 'close')));

/** Already an error of its own: the port is checked before DynamoDB is called. */
const nowhere = at('http://127.0.0.1:1');
const oneTable = { ...at(inject('endpoint')), SPACES_TABLE: 'one', FILES_TABLE: 'one' };

test.each<[string, string, NodeJS.ProcessEnv?]>([
  ['--port abc', '--port must be a number from 0 to 65535.'],
  ['--port 70000', '--port must be a number from 0 to 65535.'],
  ['--port=', '--port must be a number from 0 to 65535.'],
  ['--verbose', 'The options are --port, --data, --db, --demo, --watch, --log, --help.'],
  ['--data /nowhere/my.json', 'The data file cannot be read: ENOENT: no such file or directory'],
  ['--db /nowhere/my.db', 'unable to open database file'],
  ['', 'connect ECONNREFUSED 127.0.0.1:1', nowhere],
  [
    `--port ${taken}`,
    `The port ${taken} is in use at 127.0.0.1: use \`--port N\`, for example \`npm start -- --port 0\`.`,
    nowhere,
  ],
  ['--db x', '--db needs the embedded engine.', nowhere],
  ['--demo', 'The demo API keys are public.', at('https://dynamodb.eu-west-1.amazonaws.com')],
  ['', 'table one is tenantId (S), then spaceId (S). It must be spaceId (S), then fileId (S).', oneTable],
  // What npm leaves of `npm start --port 4000`.
  ['4000', 'An option or an argument is unknown.'],
])('`npm start %s` ends with one line: %s', async (line, problem, more) => {
  const args = ['tools/dev-server/start.ts', '--port', '0', ...line.split(' ').filter(Boolean)];
  const { code, stdout, stderr } = await run(args, { ...env, ...more });
  expect([code, stdout, stderr.split('\n').length]).toStrictEqual([1, '', 2]);
  expect(stderr).toContain(problem);
});

test('`npm start` lets requests wait until it is ready', async () => {
  const isAsked = Promise.withResolvers<void>();
  const mayReply = Promise.withResolvers<void>();
  const { endpoint } = await startServer(async (response, request) => {
    isAsked.resolve();
    await mayReply.promise;
    await forwardTo(demo.endpoint)(response, request);
  });
  const { port } = await freeAddress('127.0.0.1');
  const starting = startProject(['--port', port], { ...env, ...at(endpoint) });
  await isAsked.promise;
  const url = `http://127.0.0.1:${port}/v1/spaces/s/files/f`;
  const response = update(url, 'none', { summary: null });
  mayReply.resolve();
  expect((await response).status).toBe(401);
  await (await starting).stop();
});

test('`npm start` uses the tables that the user names, and loads demo data into them only with --demo', async () => {
  const tables = { API_KEYS_TABLE: 'my-keys', SPACES_TABLE: 'my-spaces', FILES_TABLE: 'my-files' };
  const custom = { ...env, ...tables, AWS_ENDPOINT_URL_DYNAMODB: demo.endpoint };
  const path = '/v1/spaces/handbook/files/3f2b8c1e-6a4d-4c57-9e0f-1b7a2d9c5e80';
  const statusWith = async (args: string[]) => {
    const project = await startProject(args, custom);
    const { status } = await update(project.url + path, 'demo-editor-key', { summary: 'x' });
    await project.stop();
    return status;
  };
  expect([await statusWith([]), await statusWith(['--demo'])]).toStrictEqual([401, 200]);
});

test('`npm start` refuses an engine that does not return the item of a rejected write', async () => {
  const { endpoint } = await startServer(async (response, request) => {
    const { status, body } = await request.deliver(demo.endpoint);
    const { Item, ...rest } = JSON.parse(body);
    jsonReply(JSON.stringify(rest), status)(response, request);
  });
  const { code, stderr } = await run(['tools/dev-server/start.ts', '--port', '0'], {
    ...env,
    ...at(endpoint),
  });
  const problem = 'This DynamoDB engine does not support ReturnValuesOnConditionCheckFailure: use another.\n';
  expect({ code, stderr }).toStrictEqual({ code: 1, stderr: problem });
});
