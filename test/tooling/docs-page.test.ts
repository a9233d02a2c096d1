import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { projectRoot } from '#tools/project.ts';
import { runningProject } from '../support/processes.ts';

const project = runningProject();

test('/docs leads to a page, and every file that it names is served', async () => {
  const page = await fetch(`${project.url}/docs`);
  const named = [...(await page.text()).matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path);
  const responses = await Promise.all(named.map((path) => fetch(new URL(path, page.url))));
  const found = responses.map(({ url, status, headers }) => [
    url.replace(project.url, ''),
    status,
    headers.get('content-type'),
  ]);
  expect(found).toStrictEqual([
    ['/docs/swagger-ui.css', 200, 'text/css'],
    ['/docs/index.css', 200, 'text/css'],
    ['/docs/favicon-32x32.png', 200, 'image/png'],
    ['/docs/favicon-16x16.png', 200, 'image/png'],
    ['/docs/swagger-ui-bundle.js', 200, 'text/javascript'],
    ['/docs/swagger-ui-standalone-preset.js', 200, 'text/javascript'],
    ['/docs/swagger-initializer.js', 200, 'text/javascript'],
  ]);
});

test('the page shows openapi.yaml for this server, with the demo key, and asks no other host', async () => {
  const description = parse(readFileSync(join(projectRoot, 'openapi.yaml'), 'utf8'));
  const shown = await (await fetch(`${project.url}/docs/openapi.json`)).json();
  expect(shown).toStrictEqual({ ...description, servers: [{ url: '/' }] });
  const [scheme] = Object.keys(description.components.securitySchemes);
  const script = await (await fetch(`${project.url}/docs/swagger-initializer.js`)).text();
  expect(script).toContain(`preauthorizeApiKey('${scheme}', 'demo-editor-key')`);
  expect(script).toContain('validatorUrl: null');
});

test.each([
  ['GET', '/docs/..%2f..%2fpackage.json'],
  ['GET', '/docs/swagger-ui-bundle.js.map'],
  ['GET', '/docsx'],
  ['POST', '/docs'],
])('%s %s is not found', async (method, path) => {
  const response = await fetch(project.url + path, { method });
  expect([response.status, await response.text()]).toStrictEqual([404, '{"message":"Not Found"}']);
});
