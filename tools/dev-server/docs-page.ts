import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parse } from 'yaml';
import { projectRoot } from '#tools/project.ts';

/** Swagger UI at /docs, which shows openapi.yaml and sends requests. Serves GET of its own files, and leads / there. */
export const createDocsPage = () => {
  const { resolve } = createRequire(import.meta.url);
  const description: object = parse(readFileSync(join(projectRoot, 'openapi.yaml'), 'utf8'));
  const swaggerUi = (name: string) => readFileSync(resolve(`swagger-ui-dist/${name}`));
  const files = new Map<string, [type: string, content: Buffer | string]>([
    ['/docs', ['text/html', readFileSync(join(import.meta.dirname, 'docs-page.html'))]],
    ['/docs/swagger-ui.css', ['text/css', swaggerUi('swagger-ui.css')]],
    ['/docs/swagger-ui-bundle.js', ['text/javascript', swaggerUi('swagger-ui-bundle.js')]],
    ['/docs/openapi.json', ['application/json', JSON.stringify({ ...description, servers: [{ url: '/' }] })]],
  ]);
  return ({ method, url = '' }: IncomingMessage, response: ServerResponse): boolean => {
    if (method === 'GET' && url === '/') {
      response.writeHead(302, { location: '/docs' }).end();
      return true;
    }
    const [type, content] = (method === 'GET' && files.get(url)) || [];
    if (type === undefined) return false;
    response.setHeader('content-type', type).end(content);
    return true;
  };
};
