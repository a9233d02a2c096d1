import { client } from './generated/client.gen.ts';
import { type FilePatch, updateFile } from './generated/index.ts';

client.setConfig({ baseUrl: process.env['URL'] ?? '', auth: 'demo-editor-key' });

const update = async (step: string, body: FilePatch, ifMatch?: string) => {
  const { data, response } = await updateFile({
    path: { spaceId: 'handbook', fileId: '3f2b8c1e-6a4d-4c57-9e0f-1b7a2d9c5e80' },
    headers: { 'x-tenant-id': 'acme', 'x-user-id': 'grace', ...(ifMatch && { 'if-match': ifMatch }) },
    body,
  });
  const result = data ? `${data.summary} ${data.documentKind}` : response?.headers.get('x-error-code');
  process.stdout.write(`${step} ${response?.status} ${result}\n`);
  return response?.headers.get('etag') ?? '';
};

const first = await update('set', { summary: 'one', documentKind: 'guide' });
const second = await update('keep', { summary: 'two' }, first);
await update('clear', { documentKind: null }, second);
const current = await update('stale', { summary: 'three' }, first);
await update('retry', { summary: 'four' }, current);
