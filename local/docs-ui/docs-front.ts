import type { ServerResponse } from 'node:http';
import type { Front } from '#local/gateway/gateway.ts';
import { splitTarget } from '#local/gateway/http-event.ts';
import type { DocsFile, DocsFiles } from './docs-files.ts';

// Nothing from another host, and nothing inline but the images of Swagger UI's style sheet.
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Answers GET and HEAD of the files it is given, by their whole paths; everything else is the gateway's. */
export const createDocsFront =
  (files: DocsFiles): Front =>
  ({ method = '', url = '' }, response) => {
    const file = ['GET', 'HEAD'].includes(method) ? files.get(splitTarget(url).encodedPath) : undefined;
    if (file === undefined) return false;
    sendFile(response, file);
    return true;
  };

const sendFile = (response: ServerResponse, { type, content }: DocsFile): void => {
  response.writeHead(200, {
    'content-type': type,
    'content-length': Buffer.byteLength(content),
    'content-security-policy': contentSecurityPolicy,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  response.end(content);
};
