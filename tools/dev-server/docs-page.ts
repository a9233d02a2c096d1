import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import { parse } from 'yaml';
import { projectRoot } from '#tools/project.ts';

const swaggerUiFiles = [
  ...['index.html', 'index.css', 'swagger-ui.css', 'swagger-ui-bundle.js', 'swagger-ui-standalone-preset.js'],
  ...['favicon-16x16.png', 'favicon-32x32.png'],
];

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.png': 'image/png',
  '.json': 'application/json',
};

/** `validatorUrl: null`, because by default Swagger UI sends the address of the description to a public service. */
const initializer = `const ui = SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#swagger-ui',
  validatorUrl: null,
  docExpansion: 'full',
  onComplete: () => ui.preauthorizeApiKey('ApiKey', 'demo-editor-key'),
});
`;

/** Swagger UI at /docs/, which shows openapi.yaml and sends requests. Serves GET of its own files only. */
export const createDocsPage = () => {
  const { resolve } = createRequire(import.meta.url);
  const description: object = parse(readFileSync(join(projectRoot, 'openapi.yaml'), 'utf8'));
  const files = new Map<string, string | Buffer>([
    ...swaggerUiFiles.map((name) => [name, readFileSync(resolve(`swagger-ui-dist/${name}`))] as const),
    ['swagger-initializer.js', initializer],
    ['openapi.json', JSON.stringify({ ...description, servers: [{ url: '/' }] })],
  ]);
  return ({ method, url = '' }: IncomingMessage, response: ServerResponse): boolean => {
    if (method !== 'GET' || !/^\/docs(\/|$)/.test(url)) return false;
    const name = url === '/docs/' ? 'index.html' : url.slice('/docs/'.length);
    const content = files.get(name);
    if (url === '/docs') response.writeHead(302, { location: '/docs/' });
    else if (content === undefined) return false;
    else response.setHeader('content-type', types[extname(name)] ?? '');
    response.end(content);
    return true;
  };
};
