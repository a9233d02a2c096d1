import { execFile, spawnSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, expectTypeOf, test } from 'vitest';
import type { FilePatch, FileView } from '#client/client.ts';
import type { FileView as ServiceFileView } from '#lib/domain/file.ts';
import type { FilePatch as ServiceFilePatch } from '#lib/domain/file-patch.ts';
import { bareEnvironment, runningProject } from '#test/support/processes.ts';
import { brokenReplies, type Reply, startServer } from '#test/support/server.ts';
import { projectRoot } from '#tools/project.ts';

const project = runningProject();
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

// Another project, with a copy of the client.
cpSync(join(projectRoot, 'client'), join(project.path, 'space-files'), { recursive: true });
const write = (name: string, text: string) => {
  writeFileSync(join(project.path, name), text);
  return join(project.path, name);
};
write('package.json', '{"type": "module"}');

const isPythonMissing = process.env['CI'] !== 'true' && spawnSync('python3', ['--version']).status !== 0;
const PATH = [join(projectRoot, 'node_modules', '.bin'), process.env['PATH']].join(delimiter);
/** What a program prints. */
const execute = async (program: string, args: readonly string[]): Promise<string> => {
  const options = { cwd: project.path, env: bareEnvironment({ no_proxy: '127.0.0.1', PATH }) };
  const { stdout, stderr } = await promisify(execFile)(program, args, options);
  return stdout + stderr;
};
const runBlock = (name: string, code: string) => {
  if (name.endsWith('python')) return execute('python3', ['-c', code]);
  if (name.endsWith('sh'))
    return execute('sh', ['-c', code.replace('npx esbuild client', 'esbuild space-files')]);
  return execute(process.execPath, [write('block.ts', code)]);
};

const respond =
  (status: number, body: object, headers: Record<string, string> = {}): Reply =>
  (response) =>
    response.writeHead(status, headers).end(JSON.stringify(body));
const file = { id: 'f', summary: 'One.', language: 'en', documentKind: null, domain: 'hr', tags: [] };
const updated = respond(200, file, { etag: '"1"' });
const changed = respond(412, { message: 'Changed' }, { etag: '"2"' });
const noKey = respond(401, { message: 'No' }, { 'x-request-id': 'r' });
const noSpace = respond(404, { message: 'Space not found' });

// Without replies, the service is that of `npm start`.
const runs: readonly (readonly [name: string, output: RegExp, ...replies: Reply[]])[] = [
  ['curl: sh', /HTTP\/1\.1 200 OK\r\n.*etag: "\d{16}".*"summary":"What to do in the first week\."/s],
  ['TypeScript: ts', /^What to do in the first week\. "\d{16}"\n$/],
  ['TypeScript: ts', /^invalid-api-key No r\n$/, noKey],
  ['TypeScript: ts', /^One\. "1"\n$/, brokenReplies.cutOff, updated],
  ['TypeScript: sh', /space-files\.mjs/],
  ['Update only an unchanged file: ts', /^.+ Bring your badge\.\n$/],
  ['Update only an unchanged file: ts', /^Changed by another; now "2"\n$/, updated, changed],
  ['Python: python', /^200 What to do in the first week\. "\d{16}"\n$/],
  ['Python: python', /^200 One\. "1"\n$/, respond(503, {}), brokenReplies.reset, updated],
  ['Python: python', /^404 Space not found None\n$/, noSpace],
];
test('every block of the page runs below', () => {
  expect([...new Set(runs.map(([name]) => name))]).toStrictEqual([...blocks.keys()]);
});
test.for(runs)('%s prints %s', async ([name, output, ...replies], { skip }) => {
  skip(name.startsWith('Python') && isPythonMissing, 'python3 is missing');
  const url = replies.length === 0 ? project.url : (await startServer(...replies)).endpoint;
  const code = blocks.get(name)?.replaceAll('http://localhost:3000', url) ?? '';
  expect(await runBlock(name, code)).toMatch(output);
});

test('the JavaScript file of the page has the client', async () => {
  await runBlock('TypeScript: sh', blocks.get('TypeScript: sh') ?? '');
  const code = blocks.get('TypeScript: ts')?.replace('./space-files/client.ts', './space-files.mjs') ?? '';
  const script = write('block.mjs', code.replaceAll('http://localhost:3000', project.url));
  expect(await execute(process.execPath, [script])).toMatch(/^What to do in the first week\. "\d{16}"\n$/);
});

// An object that has every code of a type, and no other code.
const listedCodes = [...page.matchAll(/^- `([a-z-]+)`/gm)].map(([, code]) => [code, true]);
const listOfErrors = `import type { UpdateError } from './space-files/client.ts';
const codes: Record<UpdateError['code'], true> = ${JSON.stringify(Object.fromEntries(listedCodes))};
`;
test('the TypeScript blocks and the list of errors compile in another project, with other settings', async () => {
  const scripts = [...blocks].filter(([name]) => name.endsWith(': ts')).map(([, code]) => code);
  const include = [...scripts, listOfErrors].map((code, n) => write(`${n}.ts`, `${code}export {};\n`));
  const target = { target: 'es2022', lib: ['es2022', 'dom'], module: 'nodenext', strict: true, types: [] };
  const compilerOptions = { ...target, rewriteRelativeImportExtensions: true, outDir: 'out' };
  const settings = write('tsconfig.json', JSON.stringify({ compilerOptions, include }));
  expect([scripts.length, await execute('tsc', ['--project', settings])]).toStrictEqual([2, '']);
});

// tsc checks these: the client has its own types, so that its folder can be copied.
test('the types of the client are those of the service', () => {
  expectTypeOf<FileView>().toEqualTypeOf<ServiceFileView>();
  expectTypeOf<FilePatch>().toExtend<ServiceFilePatch>();
  const rejected: FilePatch[] = [
    // @ts-expect-error nothing to update
    {},
    // @ts-expect-error undefined is neither null nor absent
    { summary: 'New.', documentKind: undefined },
    // @ts-expect-error not an editable field
    { summary: 'New.', language: 'en' },
  ];
  expect(rejected).toHaveLength(3);
});
