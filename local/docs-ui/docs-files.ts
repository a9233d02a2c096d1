import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Data } from '#local/data/data.ts';
import { findTarget } from '#local/start/target.ts';
import { apiKeySchemeOf, readDescription } from './description.ts';
import { fillIn } from './fill-in.ts';
import { initializer } from './initializer.ts';

/** A file as it is served. */
export type DocsFile = { type: string; content: string | Buffer };

/** Files by the path at which they are served. */
export type DocsFiles = ReadonlyMap<string, DocsFile>;

const text = (type: string) => `${type}; charset=utf-8`;
const html = text('text/html');
const css = text('text/css');
const script = text('text/javascript');

const readOwn = (name: string) => readFileSync(join(import.meta.dirname, name));
const readSwaggerUi = (name: string) =>
  readFileSync(createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`));

/**
 * The page that shows the API description and sends requests, with all its files. What is filled in fits the data;
 * `showKeys` is for the demo data: anybody else's keys are filled in by themselves.
 */
export const createDocsFiles = (data: Data, { showKeys }: { showKeys: boolean }): DocsFiles => {
  const page = { type: html, content: readOwn('page.html') };
  const description = readDescription();
  const scheme = apiKeySchemeOf(description);
  const target = findTarget(data);
  const filledIn = showKeys && scheme && target ? { scheme, key: target.apiKey.key } : undefined;
  const values = target && {
    spaceId: target.spaceId,
    fileId: target.fileId,
    'x-tenant-id': target.apiKey.tenantId,
    'x-user-id': target.userId,
  };
  return new Map<string, DocsFile>([
    ['/docs', page],
    ['/docs/', page],
    ['/docs/page.css', { type: css, content: readOwn('page.css') }],
    ['/docs/initializer.js', { type: script, content: initializer(filledIn) }],
    ['/docs/openapi.json', { type: 'application/json', content: fillIn(description, values ?? {}) }],
    ['/docs/swagger-ui.css', { type: css, content: readSwaggerUi('swagger-ui.css') }],
    ['/docs/swagger-ui-bundle.js', { type: script, content: readSwaggerUi('swagger-ui-bundle.js') }],
    ['/docs/favicon-32x32.png', { type: 'image/png', content: readSwaggerUi('favicon-32x32.png') }],
  ]);
};
