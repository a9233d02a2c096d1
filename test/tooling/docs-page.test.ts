import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { projectRoot } from '#tools/project.ts';
import { runningProject, startProject, writeOwnData } from '../support/processes.ts';

const project = runningProject();
const textOf = async (path: string, url = project.url) => (await fetch(url + path)).text();

test('the page and every file that it names are served, and nothing is loaded from another host', async () => {
  const page = await textOf('/docs');
  const named = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path);
  const found = await Promise.all(
    named.map(async (path) => {
      const { status, headers } = await fetch(project.url + path);
      return `${path} ${status} ${headers.get('content-type')}`;
    }),
  );
  expect(found).toStrictEqual([
    '/docs/favicon-32x32.png 200 image/png',
    '/docs/swagger-ui.css 200 text/css; charset=utf-8',
    '/docs/page.css 200 text/css; charset=utf-8',
    '/docs/swagger-ui-bundle.js 200 text/javascript; charset=utf-8',
    '/docs/page.js 200 text/javascript; charset=utf-8',
    '/docs/openapi.json 200 application/json',
  ]);
  const own = await Promise.all(['/docs', '/docs/page.css', '/docs/page.js'].map((path) => textOf(path)));
  expect(own.join()).not.toMatch(/https?:|['"(]\/\//);
  expect(await textOf('/docs/?a=b')).toBe(page);
});

test('the headers let the page load its own files only', async () => {
  const response = await fetch(`${project.url}/docs`, { method: 'HEAD' });
  const { date, connection, 'keep-alive': _, ...headers } = Object.fromEntries(response.headers);
  expect(headers).toStrictEqual({
    'cache-control': 'no-store',
    'content-length': String((await textOf('/docs')).length),
    'content-security-policy':
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    'content-type': 'text/html; charset=utf-8',
    'x-content-type-options': 'nosniff',
  });
});

test('the API description is openapi.yaml, for this server and with values of the demo data', async () => {
  const written = parse(readFileSync(join(projectRoot, 'openapi.yaml'), 'utf8'));
  const { SpaceId, FileId, TenantId, UserId, IfMatch } = written.components.parameters;
  const { example, ...ifMatch } = IfMatch;
  expect(JSON.parse(await textOf('/docs/openapi.json'))).toStrictEqual({
    ...written,
    servers: [{ url: '/', description: 'this service' }],
    components: {
      ...written.components,
      parameters: {
        SpaceId: { ...SpaceId, example: 'handbook' },
        FileId: { ...FileId, example: '3f2b8c1e-6a4d-4c57-9e0f-1b7a2d9c5e80' },
        TenantId: { ...TenantId, example: 'acme' },
        UserId: { ...UserId, example: 'ada' },
        IfMatch: ifMatch,
      },
    },
  });
  expect(await textOf('/docs/page.js')).toContain('const apiKey = "demo-editor-key";');
});

test('with --data, the page shows nothing of the demo data, and no API key is printed', async () => {
  const { url, stop, printed } = await startProject(['--data', writeOwnData(project.path)], project.env);
  const description = JSON.parse(await textOf('/docs/openapi.json', url));
  const script = await textOf('/docs/page.js', url);
  const ids = { 'x-api-key': 'my secret', 'x-tenant-id': 't', 'x-user-id': 'o' };
  const headers = { ...ids, 'content-type': 'application/json' };
  const own = `${url}/v1/spaces/a%2Fb/files/it's`;
  const { status } = await fetch(own, { method: 'PATCH', headers, body: '{"summary":"x"}' });
  await stop();
  expect(status).toBe(200);
  expect(script).toContain('const apiKey = null;');
  expect(JSON.stringify(description.components.parameters)).not.toMatch(/"examples?"/);
  expect(printed()).not.toMatch(/my secret|curl/);
});

test.each([
  ['GET', '/docs/..%2f..%2fpackage.json'],
  ['GET', '/docs//page.css'],
  ['GET', '/docs/constructor'],
  ['GET', '/docs/swagger-ui-bundle.js.map'],
  ['GET', '/'],
  ['POST', '/docs'],
])('%s %s is not found', async (method, path) => {
  const response = await fetch(project.url + path, { method });
  expect([response.status, await response.text()]).toStrictEqual([404, '{"message":"Not Found"}']);
});
