import process from 'node:process';
import { createClient } from 'space-files-client';

const { URL: baseUrl } = process.env;
const { updateFile } = createClient({
  baseUrl,
  apiKey: 'demo-editor-key',
  tenantId: 'acme',
  userId: 'grace',
});

/** Sends an update, prints what it gets, and returns the current etag. */
const send = async (name, patch, ifMatch) => {
  const fileId = '3f2b8c1e-6a4d-4c57-9e0f-1b7a2d9c5e80';
  const result = await updateFile({ spaceId: 'handbook', fileId, patch, ifMatch });
  const { ok, file, error, etag = error?.etag } = result;
  const line = ok
    ? `${name} 200 ${file.summary} ${file.documentKind}`
    : `${name} ${error.status} ${error.code}`;
  process.stdout.write(`${line}\n`);
  return etag;
};

const first = await send('set', { summary: 'one', documentKind: 'guide' });
const second = await send('keep', { summary: 'two' }, first);
await send('clear', { documentKind: null }, second);
const current = await send('stale', { summary: 'three' }, first);
await send('retry', { summary: 'four' }, current);
