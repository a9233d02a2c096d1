import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDocsFiles } from '#local/docs-ui/docs-files.ts';
import { createDocsFront } from '#local/docs-ui/docs-front.ts';
import { createGateway } from '#local/gateway/gateway.ts';
import { listen } from '#local/gateway/listen.ts';
import { readService } from '#local/service/service.ts';
import { exchange, statusAndBody } from './support/raw-http.ts';

let gateway: Awaited<ReturnType<typeof listen>>;
beforeAll(async () => {
  const front = createDocsFront(createDocsFiles({ apiKeys: [], spaces: [], files: [] }, { showKeys: true }));
  const options = { lambda: () => ({ statusCode: 204 }), service: readService(), report: () => undefined };
  gateway = await listen(() => createGateway({ ...options, front }), 0);
});
afterAll(() => gateway.close());

const send = async (method: string, target: string) => {
  const head = `${method} ${target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`;
  return statusAndBody(await exchange(gateway.port, head));
};
const notFound = { status: 404, body: '{"message":"Not Found"}' };

test('a query, a closing slash and the form of a proxy make no difference', async () => {
  const page = await send('GET', '/docs');
  expect(page.body).toMatch(/^<!doctype html>/);
  for (const target of ['/docs/', '/docs?a=b', 'http://x/docs']) {
    expect(await send('GET', target)).toStrictEqual(page);
  }
});

test('HEAD brings no body', async () => {
  expect(await send('HEAD', '/docs')).toStrictEqual({ status: 200, body: '' });
});

test.each([
  '/docs/../package.json',
  '/docs/..%2f..%2fpackage.json',
  '/docs/%2e%2e/page.html',
  '/docs/./page.css',
  '/docs//page.css',
  '/docs/constructor',
  '/docs/swagger-ui-bundle.js.map',
  '/docs\\page.css',
  '/Docs',
  '/',
  '/v1/spaces/handbook/files/3f2b8c1e-6a4d-4c57-9e0f-1b7a2d9c5e80',
])('GET %s is answered 404 as before', async (target) => {
  expect(await send('GET', target)).toStrictEqual(notFound);
});

test.each(['POST', 'PATCH', 'OPTIONS'])('%s /docs is answered 404 as before', async (method) => {
  expect(await send(method, '/docs')).toStrictEqual(notFound);
});
