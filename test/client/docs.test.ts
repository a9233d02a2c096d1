import { execFile, spawnSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, expectTypeOf, test } from 'vitest';
import type { FilePatch, FileView, UpdateError, UpdateResult } from '#client/client.ts';
import type { FileView as ServiceFileView } from '#lib/domain/file.ts';
import type { FilePatch as ServiceFilePatch } from '#lib/domain/file-patch.ts';
import { bareEnvironment, run, temporaryFolder } from '#test/support/processes.ts';
import { projectRoot } from '#tools/project.ts';
import { aClient, anUpdate, respond, type Turn, turns, useService } from './fixture.ts';

const { start } = useService('client-docs');
const page = readFileSync(join(projectRoot, 'docs', 'client.md'), 'utf8');
const blocks: ReadonlyMap<string, string> = new Map(
  page
    .split(/^## /m)
    .flatMap((section) =>
      [...section.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(
        ([, language, code = '']) => [`${section.split('\n')[0]}: ${language}`, code] as const,
      ),
    ),
);
const blockFor = (name: string, url: string) =>
  blocks.get(name)?.replaceAll('http://localhost:3000', url) ?? '';

// Another project, with a copy of the client.
const project = temporaryFolder();
afterAll(project.remove);
cpSync(join(projectRoot, 'client'), join(project.path, 'space-files'), { recursive: true });
const write = (name: string, text: string) => {
  writeFileSync(join(project.path, name), text);
  return join(project.path, name);
};
write('package.json', '{"type": "module"}');

const execute = (program: string, args: string[], more: Record<string, string> = {}) => {
  const env = bareEnvironment({ no_proxy: '127.0.0.1', ...more });
  return promisify(execFile)(program, args, { cwd: projectRoot, env });
};

const busy = respond(503, '', { 'retry-after': '0' });
const typeScript = 'TypeScript: ts';
const unchanged = 'Update only an unchanged file: ts';
const isPythonMissing = process.env['CI'] !== 'true' && spawnSync('python3', ['--version']).status !== 0;
const another: Turn = async (response, deliver) => {
  const { url } = await start();
  await aClient({ baseUrl: url, userId: 'ada' }).updateFile(anUpdate);
  await turns.pass(response, deliver);
};

test('every block of the page has a test below', () => {
  expect([...blocks.keys()]).toStrictEqual([
    'curl: sh',
    typeScript,
    'TypeScript: sh',
    unchanged,
    'TypeScript with fetch alone: ts',
    'Python: python',
  ]);
});

test.for<[string, readonly Turn[], stdout: string, stderr: string]>([
  [typeScript, [], 'What to do in the first week. "1790000000000000"\n', ''],
  [typeScript, [respond(401, '{"message":"No"}', { 'x-request-id': 'r' })], '', 'invalid-api-key No r\n'],
  [unchanged, [], 'How the first week goes. Bring your badge.\n', ''],
  [unchanged, [turns.pass, another], '', 'Changed by another; now "1790000000000001"\n'],
  ['TypeScript with fetch alone: ts', [], '200 null "1790000000000000"\n', ''],
  ['Python: python', [busy, turns.lostAfter], '200 What to do in the first week. "1790000000000001"\n', ''],
  ['Python: python', [respond(404, '{"message":"Space not found"}')], '404 Space not found None\n', ''],
])('%s runs', async ([name, given, stdout, stderr], { skip }) => {
  const isPython = name.startsWith('Python');
  skip(isPython && isPythonMissing, 'python3 is missing');
  const { url } = await start(...given);
  const code = blockFor(name, url);
  const node = () => execute(process.execPath, [write('block.ts', code)]);
  expect(await (isPython ? execute('python3', ['-c', code]) : node())).toStrictEqual({ stdout, stderr });
});

test('curl: sh runs', async () => {
  const { url } = await start(busy);
  const { stdout } = await execute('sh', ['-c', blockFor('curl: sh', url)]);
  const [head = '', json = ''] = stdout.slice(stdout.lastIndexOf('HTTP/1.1')).split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n.*etag: "1790000000000000"/s);
  expect(JSON.parse(json)).toMatchObject({ summary: 'What to do in the first week.', documentKind: 'guide' });
});

test('TypeScript: sh makes one JavaScript file', async () => {
  const { url } = await start();
  const file = join(project.path, 'space-files.mjs');
  const command = blockFor('TypeScript: sh', url)
    .replace('npx ', '')
    .replace('=space-files.mjs', `='${file}'`);
  const PATH = [join(projectRoot, 'node_modules', '.bin'), process.env['PATH']].join(delimiter);
  await execute('sh', ['-c', command], { PATH });
  const code = blockFor(typeScript, url).replace('./space-files/client.ts', './space-files.mjs');
  const stdout = 'What to do in the first week. "1790000000000000"\n';
  expect(await execute(process.execPath, [write('block.mjs', code)])).toStrictEqual({ stdout, stderr: '' });
});

test('the TypeScript blocks compile in another project, for a browser and with other settings', async () => {
  const { url } = await start();
  write('first.ts', blockFor(typeScript, url));
  write('second.ts', blockFor(unchanged, url));
  write('third.ts', `${blockFor('TypeScript with fetch alone: ts', url)}export {};\n`);
  const target = { target: 'es2022', lib: ['es2022', 'dom'], module: 'nodenext', strict: true, types: [] };
  const compilerOptions = { ...target, rewriteRelativeImportExtensions: true, outDir: 'out' };
  const include = ['first.ts', 'second.ts', 'third.ts'];
  const settings = write('tsconfig.json', JSON.stringify({ compilerOptions, include }));
  const tsc = await run(['node_modules/typescript/bin/tsc', '--project', settings]);
  expect(tsc).toStrictEqual({ code: 0, stdout: '', stderr: '' });
  const { stdout } = await execute(process.execPath, [join(project.path, 'out', 'first.js')]);
  expect(stdout).toBe('What to do in the first week. "1790000000000000"\n');
});

test('the list of errors has every code', () => {
  const codes: Readonly<Record<UpdateError['code'], true>> = {
    ...{
      'invalid-request': true,
      'invalid-api-key': true,
      'permission-denied': true,
      'space-not-found': true,
    },
    ...{ 'file-not-found': true, 'file-changed': true, 'outcome-unknown': true, 'too-large': true },
    ...{ 'unsupported-media-type': true, throttled: true, unavailable: true, 'internal-error': true },
    ...{ network: true, aborted: true, 'unexpected-response': true, 'not-sent': true },
  };
  expect([...page.matchAll(/^- `([a-z-]+)`/gm)].map(([, code]) => code)).toStrictEqual(Object.keys(codes));
});

// tsc checks these: the client has its own types, so that its folder can be copied.
test('the types of the client are those of the service', () => {
  expectTypeOf<FileView>().toEqualTypeOf<ServiceFileView>();
  expectTypeOf<FilePatch>().toExtend<ServiceFilePatch>();
  const patches: FilePatch[] = [
    { summary: 'New.' },
    { documentKind: null },
    { summary: null, documentKind: '' },
    // @ts-expect-error nothing to update
    {},
    // @ts-expect-error undefined is neither null nor absent
    { summary: undefined },
    // @ts-expect-error also beside another field
    { summary: 'New.', documentKind: undefined },
    // @ts-expect-error not an editable field
    { summary: 'New.', language: 'en' },
    // @ts-expect-error not a string
    { summary: 1 },
  ];
  expect(patches).toHaveLength(8);
  const extraOf = (result: UpdateResult) => {
    if (result.ok) return expectTypeOf(result.etag).toEqualTypeOf<string>();
    const { error } = result;
    if (error.code === 'file-changed') return expectTypeOf(error.etag).toEqualTypeOf<string>();
    if (error.code === 'unavailable') return expectTypeOf(error.retryAfterMs).toEqualTypeOf<number>();
    // @ts-expect-error other errors have no etag
    return error.etag;
  };
  expect(extraOf).toBeTypeOf('function');
});
