import { mkdirSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { afterAll, expect, type TestContext, test } from 'vitest';
import * as z from 'zod';
import { execute, runningProject, temporaryFolder } from '#test/support/processes.ts';
import { listen } from '#tools/listen.ts';

const project = runningProject();
const folder = temporaryFolder();
afterAll(folder.remove);

const skipped: string[] = [];
afterAll(() => {
  if (skipped.length > 0) process.stdout.write(`Skipped ${skipped.length}: ${skipped.join(' ')}\n`);
});

const BodySchema = z.looseObject({ tags: z.optional(z.array(z.looseObject({}))) });

/** The service of a later version: a proxy that adds a field to each file, tag and error. */
const serve = async (incoming: IncomingMessage, response: ServerResponse) => {
  const { method, url: path, headers } = incoming;
  const { hostname, port } = new URL(project.url);
  const sent = await buffer(incoming);
  const forwarded = request({ hostname, port, method, path, headers }).end(sent);
  const received = await new Promise<IncomingMessage>((resolve, reject) => {
    forwarded.on('response', resolve).on('error', reject);
  });
  const status = received.statusCode ?? 0;
  const { tags, ...rest } = BodySchema.parse(JSON.parse(await text(received)));
  const more = tags && { tags: tags.map((tag) => ({ ...tag, source: 'text' })) };
  const body = Buffer.from(JSON.stringify({ ...rest, ...more, pages: 3 }));
  response.writeHead(status, { ...received.headers, 'content-length': body.length }).end(body);
  return { body: sent.toString(), ifMatch: headers['if-match'], status, etag: received.headers.etag };
};

/** Runs generate.sh in a folder of its own. Returns what it prints and sends. Skips the test if something is missing. */
const generate = async ({ skip }: TestContext, ...[name = '', ...args]: readonly string[]) => {
  const exchanges: Awaited<ReturnType<typeof serve>>[] = [];
  const server = createServer((incoming, response) => {
    serve(incoming, response).then(
      (exchange) => exchanges.push(exchange),
      () => response.destroy(),
    );
  });
  const port = await listen(server);
  const cwd = join(folder.path, name);
  mkdirSync(cwd, { recursive: true });
  const script = join(import.meta.dirname, 'generate.sh');
  const env = { ...process.env, URL: `http://127.0.0.1:${port}` };
  const { code, stdout, stderr } = await execute('sh', [script, name, ...args], { env, cwd });
  server.close().closeAllConnections();
  if (code === 75) {
    const reason = stderr.trim().split('\n').at(-1);
    skipped.push(`${name}: ${reason}`);
    return skip(reason);
  }
  if (code !== 0) throw new Error(`${stdout}\n${stderr}`);
  return { printed: stdout, exchanges };
};

test.for([
  ['client-on-node-20', 'client.mjs'],
  ['client-on-node-24', 'client.mjs'],
  ['openapi-fetch'],
  ['openapi-generator-python'],
  ['openapi-generator-java'],
  ['openapi-generator-go'],
])(
  'the client of %s sets, keeps and clears a field, gets 412, and ignores new fields',
  async (given, context) => {
    const { printed, exchanges } = await generate(context, ...given);

    expect(printed).toBe(
      'set 200 one guide\nkeep 200 two guide\nclear 200 two null\nstale 412 file-changed\nretry 200 four null\n',
    );
    const etags = exchanges.map(({ etag }) => etag);
    expect(exchanges.map(({ body, ifMatch }) => [JSON.parse(body), ifMatch])).toEqual([
      [{ summary: 'one', documentKind: 'guide' }, undefined],
      [{ summary: 'two' }, etags[0]],
      [{ documentKind: null }, etags[1]],
      [{ summary: 'three' }, etags[0]],
      // From the 412.
      [{ summary: 'four' }, etags[3]],
    ]);
  },
);

// Node 20 collects signals that only a timer or another signal refers to.
test.for(['client-on-node-20', 'client-on-node-24'])(
  'the attempts of %s end after timeoutMs while memory is collected',
  async (name, context) => {
    const { printed } = await generate(context, name, 'timeouts.mjs');
    expect(printed).toBe('0 left: There was no response within 500 ms\n');
  },
);

// Not both modes at once: Schemathesis 4.32.5 then takes some requests with a bad header for good ones.
test.for([
  { mode: 'positive', caller: [], statuses: [200, 401, 403, 404, 412, 422] },
  { mode: 'positive', caller: ['acme', 'grace'], statuses: [200, 401, 404, 412, 422] },
  { mode: 'negative', caller: ['acme', 'grace'], statuses: [200, 400, 401, 404, 415, 422] },
])('$mode requests of Schemathesis as $caller get what openapi.yaml says', async (row, context) => {
  const [tenant, user] = row.caller;
  const headers = tenant ? ['-H', `x-tenant-id: ${tenant}`, '-H', `x-user-id: ${user}`] : [];
  const { exchanges } = await generate(context, 'schemathesis', '--mode', row.mode, ...headers);
  const reached = new Set(exchanges.map(({ status }) => status));
  // Some depend on what earlier requests left.
  expect(row.statuses).toEqual(expect.arrayContaining([...reached]));
  expect(reached).toContain(200);
});
