import type { ServerResponse } from 'node:http';
import type { Reply } from './forward.ts';

export const json = { 'content-type': 'application/x-amz-json-1.0' };
/** Answers with the whole reply. */
export const answer = (response: ServerResponse, { status, body }: Reply) =>
  response.writeHead(status, { ...json, 'content-length': body.length }).end(body);
/** A whole and well-formed error. */
export const anError = (name: string, status = 400): Reply => ({
  status,
  body: Buffer.from(JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: 'no' })),
});
/** Any text under any status. */
export const text = (body: string, status = 200): Reply => ({ status, body: Buffer.from(body) });
/** What a gateway in between says. */
export const page = (status: number) => text('<html><body>gateway</body></html>', status);
