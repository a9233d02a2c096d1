import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, expect, test } from 'vitest';
import { aFile, FILE_ID } from '#test/support/fixtures.ts';
import { bareEnvironment, execute, run, runningProject } from '#test/support/processes.ts';
import { type Reply, startServer } from '#test/support/server.ts';
import { projectRoot } from '#tools/project.ts';

const project = runningProject();
const page = readFileSync(join(projectRoot, 'docs', 'client.md'), 'utf8');
type Block = { readonly language: string; readonly code: string; readonly file: string | undefined };
/** The blocks of each section of the page, and the name of the file that the line above one tells to save it as. */
const sections: ReadonlyMap<string, readonly Block[]> = new Map(
  page
    .split(/^## /m)
    .map((section) => [
      section.slice(0, section.indexOf('\n')),
      [...section.matchAll(/(?:^Save this as `([\w.]+)`[^\n]*\n\n)?^```(\w+)\n(.*?)^```$/gms)].map(
        ([, file, language = '', code = '']) => ({ language, code, file }),
      ),
    ]),
);
const atUrl = (code: string, url: string) => code.replaceAll('http://localhost:3000', url);
const folderOf = (section: string) => join(project.path, section);

const isPythonMissing = process.env['CI'] !== 'true' && spawnSync('python3', ['--version']).status !== 0;
const { no_proxy = '', NODE_EXTRA_CA_CERTS = '' } = process.env;
const environment = bareEnvironment({
  no_proxy: `${no_proxy},127.0.0.1,localhost`,
  npm_config_loglevel: 'error',
  npm_config_ignore_scripts: 'true',
  // For npm, in a network with a certificate authority of its own.
  NODE_EXTRA_CA_CERTS,
});
/** What a shell prints where nothing is configured. */
const shell = async (cwd: string, script: string): Promise<string> => {
  const { stdout, stderr } = await execute('sh', ['-ec', script], { cwd, env: environment });
  return stdout + stderr;
};
/** Does in an empty folder what a section says, block by block. Returns what that prints. */
const follow = (section: string): Promise<string> => {
  mkdirSync(folderOf(section));
  const commands = (sections.get(section) ?? []).map(({ language, code, file }) => {
    if (file !== undefined) writeFileSync(join(folderOf(section), file), atUrl(code, project.url));
    return language === 'sh' ? atUrl(code, project.url) : '';
  });
  return shell(folderOf(section), commands.join('\n'));
};

const printed = new Map<string, string>();
beforeAll(async () => {
  // The page is followed beside the clone.
  symlinkSync(projectRoot, join(project.path, 'space-files'));
  printed.set('TypeScript', await follow('TypeScript'));
});

test.for([
  ['curl', /^HTTP\/1\.1 200 OK\r\n.*etag: "\d{16}".*"summary":"What to do in the first week\."/s],
  ['TypeScript', /\napplied What to do in the first week\. "\d{16}"\n$/],
  ['Python', /^200 What to do in the first week\. "\d{16}"\n$/],
] as const)(
  'whoever follows the section "%s" in an empty folder gets %s',
  async ([section, output], { skip }) => {
    skip(section === 'Python' && isPythonMissing, 'python3 is missing');
    const text = printed.get(section) ?? (await follow(section));
    expect(text).toMatch(output);
    expect(text).not.toMatch(/warning/i);
  },
);

test('the TypeScript program compiles with strict options', async () => {
  const strict = '--strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --noEmit';
  const compile = `../space-files/node_modules/.bin/tsc ${strict} --target es2022 --module nodenext update.ts`;
  expect(await shell(folderOf('TypeScript'), `${compile} && echo compiled`)).toBe('compiled\n');
});

const names = ['content-type', 'x-api-key', 'x-tenant-id', 'x-user-id', 'idempotency-key'];
/** Sends a request on to the service, and gets its whole response. The reply decides what of it arrives. */
const afterService =
  (reply: (response: Parameters<Reply>[0], body: string) => unknown): Reply =>
  async (response, { url, headers, body }) => {
    const sent = names.map((name): [string, string] => [name, String(headers[name])]);
    const received = await fetch(project.url + url, { method: 'PATCH', headers: sent, body });
    const text = await received.text();
    response.writeHead(received.status, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
      etag: received.headers.get('etag') ?? '',
    });
    await reply(response, text);
  };
const ok = afterService((response, body) => response.end(body));
const lost = afterService((response) => response.destroy());
const cut = afterService((response, body) => response.write(body.slice(0, 9), () => response.destroy()));
const stalled = afterService((response, body) => response.write(body.slice(0, 9)));
const none: Reply = () => undefined;
const rejected: Reply = (response) =>
  response.writeHead(401, { 'x-error-code': 'api-key-invalid' }).end('{"message":"Invalid API Key"}');
const redirected: Reply = (response) => response.writeHead(307, { location: '/elsewhere' }).end();
const throttled =
  (retryAfter: string): Reply =>
  (response) =>
    response.writeHead(429, { 'retry-after': retryAfter }).end('{"message":"Too Many Requests"}');

const files = 'space-files-dev-files';
const [before, after] = ['How the first week goes.', 'What to do in the first week.'];
type Run = {
  readonly replies: readonly Reply[];
  readonly prints: RegExp;
  readonly attempts: number;
  readonly summary: string;
  /** The time limit of an attempt, in place of that of the page. */
  readonly limitMs?: string;
  readonly leastMs?: number;
};
const applied = /^applied What to do in the first week\. "\d{16}"\n$/;
const runs: Readonly<Record<string, Run>> = {
  'a response': { replies: [ok], prints: applied, attempts: 1, summary: after },
  'a 401': { replies: [rejected], prints: /^not applied api-key-invalid\n$/, attempts: 1, summary: before },
  'a 429 that asks for a second, and one that asks for too much': {
    replies: [throttled('1'), throttled('21')],
    prints: /^not applied \{ message: 'Too Many Requests' \}\n$/,
    attempts: 2,
    summary: before,
    leastMs: 1000,
  },
  'a lost response': { replies: [lost, ok], prints: applied, attempts: 2, summary: after },
  'a response that is cut off': { replies: [cut, ok], prints: applied, attempts: 2, summary: after },
  'a response whose body stalls': {
    replies: [stalled, ok],
    prints: applied,
    attempts: 2,
    summary: after,
    limitMs: '2_000',
  },
  'a lost response, then a 401': {
    replies: [lost, rejected],
    prints: /^unknown api-key-invalid\n$/,
    attempts: 2,
    summary: after,
  },
  'a redirect': { replies: [redirected], prints: /^unknown $/m, attempts: 1, summary: before },
  'no response, four times': {
    replies: [none],
    prints: /^unknown .*AbortError/,
    attempts: 4,
    summary: before,
    limitMs: '500',
  },
};
test.for(Object.entries(runs))('the TypeScript program claims nothing false after %s', async ([, row]) => {
  const { replies, prints, attempts, summary, limitMs = '15_000', leastMs = 0 } = row;
  const client = new DynamoDBClient({
    endpoint: project.endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const tables = DynamoDBDocumentClient.from(client);
  await tables.send(new PutCommand({ TableName: files, Item: aFile({ summary: before }) }));
  const { endpoint, received } = await startServer(...replies);
  const program = sections.get('TypeScript')?.find(({ file }) => file === 'update.ts')?.code ?? '';
  const file = join(folderOf('TypeScript'), 'faulty.ts');
  writeFileSync(file, atUrl(program, endpoint).replace('15_000', limitMs));

  const start = performance.now();
  const { stdout, stderr } = await run([file], environment);
  const ms = performance.now() - start;

  const Key = { spaceId: 'handbook', fileId: FILE_ID };
  const { Item = {} } = await tables.send(new GetCommand({ TableName: files, Key, ConsistentRead: true }));
  const writes = Object.keys(Item).filter((attribute) => /^w\d+$/.test(attribute) && Item[attribute] !== '');
  expect(stdout + stderr).toMatch(prints);
  expect(received).toHaveLength(attempts);
  expect(new Set(received.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  expect([Item['summary'], writes]).toEqual([summary, summary === after ? ['w1'] : []]);
  expect(ms).toBeGreaterThan(leastMs);
});
