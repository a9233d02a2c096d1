import { execFile, spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, delimiter, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, expectTypeOf, test } from 'vitest';
import type { FilePatch, FileView } from '#client/client.ts';
import type { FileView as ServiceFileView } from '#lib/domain/file.ts';
import type { FilePatch as ServiceFilePatch } from '#lib/domain/file-patch.ts';
import { errorResponses } from '#lib/http/responses.ts';
import { FILE_ID } from '#test/support/given.ts';
import { bareEnvironment, runningProject, settingsFor } from '#test/support/processes.ts';
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

/** The text of a block, for a service at this URL. */
const codeOf = (name: string, url = project.url) =>
  (blocks.get(name) ?? '').replaceAll('http://localhost:3000', url);

const isPythonMissing = process.env['CI'] !== 'true' && spawnSync('python3', ['--version']).status !== 0;
const PATH = [join(projectRoot, 'node_modules', '.bin'), process.env['PATH']].join(delimiter);
/** What a program prints, in a project of its own, where only DynamoDB's client is installed. */
const execute = async (program: string, args: readonly string[]): Promise<string> => {
  const { endpoint } = project;
  const no_proxy = `127.0.0.1,${new URL(endpoint).hostname}`;
  const CLIENT = join(projectRoot, 'client');
  const env = bareEnvironment({ no_proxy, PATH, CLIENT, ...settingsFor(endpoint) });
  const { stdout, stderr } = await promisify(execFile)(program, args, { cwd: project.path, env });
  return stdout + stderr;
};
const write = (name: string, text: string) => {
  writeFileSync(join(project.path, name), text);
  return join(project.path, name);
};
const runBlock = (name: string, code: string) => {
  if (name.endsWith('python')) return execute('python3', ['-c', code]);
  if (name.endsWith('sh')) return execute('sh', ['-c', code.replace('../space-files/client', '"$CLIENT"')]);
  return execute(process.execPath, [write('block.ts', code)]);
};

beforeAll(async () => {
  write('package.json', '{"type": "module"}');
  const dist = join(projectRoot, 'client', 'dist');
  mkdirSync(dist, { recursive: true });
  writeFileSync(join(dist, 'of-an-older-build.js'), '');
  await runBlock('TypeScript: sh', codeOf('TypeScript: sh'));
  symlinkSync(join(projectRoot, 'node_modules/@aws-sdk'), join(project.path, 'node_modules/@aws-sdk'));
});

const respond =
  (status: number, body: object, headers: Record<string, string> = {}): Reply =>
  (response) =>
    response.writeHead(status, headers).end(JSON.stringify(body));
const file = { id: FILE_ID, summary: 'One.', language: 'en', documentKind: null, domain: 'hr', tags: [] };
const updated = respond(200, file, { etag: '"1"' });
const noKey = respond(401, { message: 'No' }, { 'x-request-id': 'r', 'x-error-code': 'api-key-invalid' });
const noSpace = respond(404, { message: 'Space not found' }, { 'x-error-code': 'space-not-found' });

// Without replies, the service is that of `npm start`.
const runs: readonly (readonly [name: string, output: RegExp, ...replies: Reply[]])[] = [
  ['curl: sh', /HTTP\/1\.1 200 OK\r\n.*etag: "\d{16}".*"summary":"What to do in the first week\."/s],
  ['TypeScript: ts', /^What to do in the first week\. "\d{16}"\n$/],
  ['TypeScript: ts', /^api-key-invalid No r\n$/, noKey],
  ['TypeScript: ts', /^One\. "1"\n$/, brokenReplies.cutOff, updated],
  ['Update only an unchanged file: ts', /^.+ Bring your badge\.\n$/],
  ['Python: python', /^200 What to do in the first week\. "\d{16}"\n$/],
  ['Python: python', /^404 space-not-found\n$/, noSpace],
];
test('each block of docs/client.md has a test that runs it', () => {
  const ran = new Set(['TypeScript: sh', ...runs.map(([name]) => name)]);
  expect([...ran].toSorted()).toStrictEqual([...blocks.keys()].toSorted());
});
test.for(runs)('the block %s of docs/client.md prints %s', async ([name, output, ...replies], { skip }) => {
  skip(name.startsWith('Python') && isPythonMissing, 'python3 is missing');
  const url = replies.length === 0 ? project.url : (await startServer(...replies)).endpoint;
  expect(await runBlock(name, codeOf(name, url))).toMatch(output);
});

test('the package has the built modules, its license and its readme, and nothing else', () => {
  const installed = join(project.path, 'node_modules', 'space-files-client');
  const modules = globSync('*.ts', { cwd: join(projectRoot, 'client') }).map((name) => basename(name, '.ts'));
  const built = modules.flatMap((name) => [join('dist', `${name}.js`), join('dist', `${name}.d.ts`)]);
  const files = globSync('**', { cwd: installed, withFileTypes: true }).filter((entry) => entry.isFile());
  const names = files.map(({ parentPath, name }) => relative(installed, join(parentPath, name)));
  expect(names.toSorted()).toStrictEqual(['LICENSE', 'README.md', 'package.json', ...built].toSorted());

  const read = (...path: string[]) => readFileSync(join(...path), 'utf8');
  expect(read(installed, 'LICENSE')).toBe(read(projectRoot, 'LICENSE'));
  expect(read(installed, 'README.md')).toContain(
    `\`\`\`ts\n${codeOf('TypeScript: ts', 'http://localhost:3000')}\`\`\``,
  );
});

test('the package works in a bundle for a browser', async () => {
  const source = write('block.ts', codeOf('TypeScript: ts'));
  const bundle = join(project.path, 'bundle.mjs');
  await execute('esbuild', [source, '--bundle', '--platform=browser', '--format=esm', `--outfile=${bundle}`]);
  expect(await execute(process.execPath, [bundle])).toMatch(/^What to do in the first week\. "\d{16}"\n$/);
});

// An object that has every code of a type, and no other code: those of the contract, and those of the page.
const onPage = [...page.matchAll(/^- `([a-z-]+)`/gm)].map(([, code = '']) => code);
const codes = Object.fromEntries([...Object.keys(errorResponses), ...onPage].map((code) => [code, true]));
const listOfErrors = `import type { FileUpdate, UpdateError } from 'space-files-client';
export const codes: Record<UpdateError['code'], true> = ${JSON.stringify(codes)};
export const ifMatch: FileUpdate['ifMatch'] = undefined;
`;
test('the TypeScript blocks and the list of errors compile in a project of tsc --init, and for a bundler', async () => {
  const scripts = [...blocks].filter(([name]) => name.endsWith(': ts')).map(([, code]) => code);
  rmSync(join(project.path, 'block.ts'), { force: true });
  for (const [index, code] of [...scripts, listOfErrors].entries()) write(`block-${index}.ts`, code);
  await execute('tsc', ['--init']);
  const bundled = ['--module', 'esnext', '--moduleResolution', 'bundler'];
  const printed = [await execute('tsc', ['--noEmit']), await execute('tsc', ['--noEmit', ...bundled])];
  expect([scripts.length, printed]).toStrictEqual([2, ['', '']]);
});

// tsc checks these: the client has its own types, because it is a package of its own.
test('the types of the client are those of the service', () => {
  // A field may be optional in the client only.
  expectTypeOf<ServiceFileView>().toExtend<FileView>();
  expectTypeOf<Required<FileView>>().toEqualTypeOf<Required<ServiceFileView>>();
  expectTypeOf<FilePatch>().toExtend<ServiceFilePatch>();
  expectTypeOf<keyof FilePatch>().toEqualTypeOf<keyof ServiceFilePatch>();
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
