import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import { parse } from 'yaml';
import { projectRoot } from '#tools/project.ts';

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.json': 'application/json',
};

/** Swagger UI at /docs, which shows openapi.yaml and sends requests. Serves GET of its own files, and leads / there. */
export const createDocsPage = () => {
  const { resolve } = createRequire(import.meta.url);
  const description: object = parse(readFileSync(join(projectRoot, 'openapi.yaml'), 'utf8'));
  const files = new Map([
    ['/docs', readFileSync(join(import.meta.dirname, 'docs-page.html'))],
    ['/docs/swagger-ui.css', readFileSync(resolve('swagger-ui-dist/swagger-ui.css'))],
    ['/docs/swagger-ui-bundle.js', readFileSync(resolve('swagger-ui-dist/swagger-ui-bundle.js'))],
    ['/docs/openapi.json', Buffer.from(JSON.stringify({ ...description, servers: [{ url: '/' }] }))],
  ]);
  return ({ method, url = '' }: IncomingMessage, response: ServerResponse): boolean => {
    if (method === 'GET' && url === '/') {
      response.writeHead(302, { location: '/docs' }).end();
      return true;
    }
    const content = method === 'GET' ? files.get(url) : undefined;
    if (content === undefined) return false;
    response.setHeader('content-type', types[extname(url)] ?? 'text/html').end(content);
    return true;
  };
};
