import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { projectRoot } from '#local/project.ts';
import { runningProject } from './support/running-project.ts';

const project = runningProject();

const textOf = async (path: string) => (await fetch(project.url + path)).text();

test('npm start names the page', () => {
  expect(project.printed()).toContain(`\nTry it in a browser: ${project.url}/docs\n`);
});

test('the page and every file that it names are there', async () => {
  const page = await textOf('/docs');
  const named = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path);
  const types = await Promise.all(
    named.map(async (path) => {
      const { status, headers } = await fetch(project.url + path);
      return [path, status, headers.get('content-type')];
    }),
  );
  expect(types).toStrictEqual([
    ['/docs/favicon-32x32.png', 200, 'image/png'],
    ['/docs/swagger-ui.css', 200, 'text/css; charset=utf-8'],
    ['/docs/page.css', 200, 'text/css; charset=utf-8'],
    ['/docs/swagger-ui-bundle.js', 200, 'text/javascript; charset=utf-8'],
    ['/docs/initializer.js', 200, 'text/javascript; charset=utf-8'],
    ['/docs/openapi.json', 200, 'application/json'],
  ]);
});

test.each(['/docs', '/docs/page.css', '/docs/initializer.js'])('%s names no other host', async (path) => {
  expect(await textOf(path)).not.toMatch(/https?:|['"(]\/\//);
});

test('the page may load nothing from another host, and runs no script of anybody else', async () => {
  const {
    date,
    connection,
    'keep-alive': _,
    ...headers
  } = Object.fromEntries((await fetch(`${project.url}/docs`)).headers);
  expect(headers).toStrictEqual({
    'cache-control': 'no-store',
    'content-length': String(readFileSync(join(projectRoot, 'local/docs-ui/page.html')).length),
    'content-security-policy':
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    'content-type': 'text/html; charset=utf-8',
    'x-content-type-options': 'nosniff',
  });
});

test('the API description is that of openapi.yaml, for this service and with values of the demo data', async () => {
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
});

test('the key of the demo data is filled in, for the security scheme of the description', async () => {
  const [, filledIn = ''] = /^const filledIn = (.*);$/m.exec(await textOf('/docs/initializer.js')) ?? [];
  const { components } = JSON.parse(await textOf('/docs/openapi.json'));
  const { scheme, key } = JSON.parse(filledIn);
  expect(key).toBe('demo-editor-key');
  expect(components.securitySchemes[scheme]).toMatchObject({
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
  });
});

test('the route answers as before', async () => {
  const response = await fetch(
    `${project.url}/v1/spaces/handbook/files/3f2b8c1e-6a4d-4c57-9e0f-1b7a2d9c5e80`,
    { method: 'PATCH' },
  );
  expect({
    status: response.status,
    policy: response.headers.get('content-security-policy'),
    body: await response.text(),
  }).toStrictEqual({ status: 400, policy: null, body: '{"message":"x-user-id is required"}' });
});
