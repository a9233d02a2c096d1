import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';
import { projectRoot } from '#tools/project.ts';
import { demoRequest } from './examples.ts';

const html = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>space-files</title>
    <link rel="icon" href="/docs/favicon-32x32.png" />
    <link rel="stylesheet" href="/docs/swagger-ui.css" />
    <link rel="stylesheet" href="/docs/page.css" />
    <script src="/docs/swagger-ui-bundle.js" defer></script>
    <script src="/docs/page.js" defer></script>
  </head>
  <body>
    <div id="swagger-ui"></div>
    <noscript>This page needs JavaScript. <a href="/docs/openapi.json">The API description</a> does not.</noscript>
  </body>
</html>
`;

// The second half shows the two columns of a table below each other on a narrow screen.
const css = `body { margin: 0; }
.swagger-ui textarea.body-param__text { min-height: 110px; }
.swagger-ui .parameter__name { white-space: nowrap; }
.swagger-ui .response-col_links { display: none; }

@media (max-width: 640px) {
  .swagger-ui table.parameters > thead, .swagger-ui table.responses-table > thead { display: none; }
  .swagger-ui table.parameters > tbody > tr > td,
  .swagger-ui table.responses-table > tbody > tr > td:not(.response-col_links) {
    display: block; width: auto; max-width: none;
  }
  .swagger-ui .response-controls { flex-direction: column; }
}
`;

/** `validatorUrl: null`, because by default Swagger UI sends the address of the description to a public service. */
const script = (apiKey: string | null) => `const ui = SwaggerUIBundle({
  url: '/docs/openapi.json',
  dom_id: '#swagger-ui',
  validatorUrl: null,
  docExpansion: 'full',
  displayRequestDuration: true,
  onComplete: () => {
    const [scheme] = Object.keys(ui.specSelectors.specJson().toJS().components.securitySchemes);
    const apiKey = ${JSON.stringify(apiKey)};
    if (apiKey !== null) ui.preauthorizeApiKey(scheme, apiKey);
  },
});
`;

// Nothing from another host. Inline images are those of Swagger UI's style sheet.
const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const ParameterSchema = z.looseObject({
  in: z.enum(['path', 'header']),
  name: z.string(),
  schema: z.looseObject({}),
});

/** openapi.yaml for this server. Parameters show the values given, and no other, because what they show is sent. */
const describeApi = (values: Readonly<Record<string, string>>): string => {
  const description: unknown = parse(readFileSync(join(projectRoot, 'openapi.yaml'), 'utf8'));
  return JSON.stringify(description, (name, value: unknown) => {
    if (name === 'servers') return [{ url: '/', description: 'this service' }];
    const parameter = ParameterSchema.safeParse(value);
    if (!parameter.success) return value;
    const { name: ofParameter, schema } = parameter.data;
    const none = { default: undefined, example: undefined, examples: undefined };
    return { ...parameter.data, ...none, schema: { ...schema, ...none }, example: values[ofParameter] };
  });
};

/** The page at /docs, which shows openapi.yaml and sends requests. Serves GET and HEAD of its own files only. */
export const createDocsPage = (isDemo: boolean) => {
  const swaggerUi = (name: string) =>
    readFileSync(createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`));
  const { apiKey, tenantId, userId, ...ids } = demoRequest;
  const values = isDemo ? { ...ids, 'x-tenant-id': tenantId, 'x-user-id': userId } : {};
  const files = new Map<string, [type: string, content: string | Buffer]>([
    ['/docs', ['text/html', html]],
    ['/docs/', ['text/html', html]],
    ['/docs/page.css', ['text/css', css]],
    ['/docs/page.js', ['text/javascript', script(isDemo ? apiKey : null)]],
    ['/docs/openapi.json', ['application/json', describeApi(values)]],
    ['/docs/swagger-ui.css', ['text/css', swaggerUi('swagger-ui.css')]],
    ['/docs/swagger-ui-bundle.js', ['text/javascript', swaggerUi('swagger-ui-bundle.js')]],
    ['/docs/favicon-32x32.png', ['image/png', swaggerUi('favicon-32x32.png')]],
  ]);
  return ({ method = '', url = '' }: IncomingMessage, response: ServerResponse): boolean => {
    const found = ['GET', 'HEAD'].includes(method) ? files.get(url.split('?')[0] ?? '') : undefined;
    if (found === undefined) return false;
    const [type, content] = found;
    response.writeHead(200, {
      'content-type': type.startsWith('text/') ? `${type}; charset=utf-8` : type,
      'content-length': Buffer.byteLength(content),
      'content-security-policy': contentSecurityPolicy,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    response.end(content);
    return true;
  };
};
