import { execFile, spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, delimiter, dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, expectTypeOf, test } from 'vitest';
import type { FilePatch, FileView } from '#client/client.ts';
import type { FileView as ServiceFileView } from '#lib/domain/file.ts';
import type { FilePatch as ServiceFilePatch } from '#lib/domain/file-patch.ts';
import { errorResponses } from '#lib/http/responses.ts';
import { FILE_ID } from '#test/support/given.ts';
import { bareEnvironment, runningProject } from '#test/support/processes.ts';
import { brokenReplies, type Reply, startServer } from '#test/support/server.ts';
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
const programOf = (section: string) =>
  sections.get(section)?.find(({ file }) => file !== undefined) ?? expect.fail(`${section} has no program`);

/** The text of a block, for a service at this URL. */
const atUrl = (code: string, url: string) =>
  code.replaceAll('http://localhost:3000', url).replaceAll('http://127.112.242.118:33179', project.endpoint);

const isPythonMissing = process.env['CI'] !== 'true' && spawnSync('python3', ['--version']).status !== 0;
const PATH = [join(projectRoot, 'node_modules', '.bin'), process.env['PATH']].join(delimiter);
/** What a program prints, where nothing is configured. */
const execute = async (cwd: string, program: string, args: readonly string[]): Promise<string> => {
  const no_proxy = `127.0.0.1,localhost,${new URL(project.endpoint).hostname}`;
  const env = bareEnvironment({ no_proxy, PATH, npm_config_loglevel: 'error' });
  const { stdout, stderr } = await promisify(execFile)(program, args, { cwd, env });
  return stdout + stderr;
};

/** A new empty folder beside a clone. */
const emptyFolder = (name: string) => {
  const folder = join(project.path, name);
  mkdirSync(folder);
  return folder;
};
/** Does in the folder what a section says, block by block. Returns what that prints. */
const follow = (folder: string, section: string): Promise<string> => {
  const commands = (sections.get(section) ?? []).map(({ language, code, file }) => {
    if (file === undefined) return language === 'sh' ? code : '';
    writeFileSync(join(folder, file), atUrl(code, project.url));
    return '';
  });
  // Packages of the registry are linked to those of this project: the test needs no network.
  const [names = ''] = commands.join('').match(/(?<= )@aws-sdk\/.*/) ?? [];
  const script = [...commands, ''].join('\n').replace(names, '');
  for (const name of names.split(' ').filter((word) => word !== '')) {
    mkdirSync(join(folder, 'linked', dirname(name)), { recursive: true });
    symlinkSync(join(projectRoot, 'node_modules', name), join(folder, 'linked', name));
  }
  const linked = names === '' ? '' : 'mv linked/* node_modules\n';
  return execute(folder, 'sh', [
    '-ec',
    atUrl(script.replace(/^(npm install .*\n)/m, `$1${linked}`), project.url),
  ]);
};

/** A project where the client was installed as the page says. */
const installed = () => join(project.path, 'installed');
beforeAll(async () => {
  const dist = join(projectRoot, 'client', 'dist');
  mkdirSync(dist, { recursive: true });
  writeFileSync(join(dist, 'of-an-older-build.js'), '');
  symlinkSync(projectRoot, join(project.path, 'space-files'));
  await follow(emptyFolder('installed'), 'TypeScript');
});

const respond =
  (status: number, body: object, headers: Record<string, string> = {}): Reply =>
  (response) =>
    response.writeHead(status, headers).end(JSON.stringify(body));
const file = { id: FILE_ID, summary: 'One.', language: 'en', documentKind: null, domain: 'hr', tags: [] };
const updated = respond(200, file, { etag: '"1"' });
const noKey = respond(401, { message: 'No' }, { 'x-request-id': 'r', 'x-error-code': 'api-key-invalid' });
const noSpace = respond(404, { message: 'Space not found' }, { 'x-error-code': 'space-not-found' });

const updatedLine = /(^|\n)(200 )?What to do in the first week\. "\d{16}"\n$/;
const printedBySection: readonly (readonly [section: string, output: RegExp])[] = [
  ['curl', /HTTP\/1\.1 200 OK\r\n.*etag: "\d{16}".*"summary":"What to do in the first week\."/s],
  ['TypeScript', updatedLine],
  ['Update only an unchanged file', /\n.+ Bring your badge\.\n$/],
  ['Python', updatedLine],
];
test('every section with commands is followed below', () => {
  const withCommands = [...sections].filter(([, blocks]) => blocks.some(({ language }) => language === 'sh'));
  expect(printedBySection.map(([section]) => section)).toStrictEqual(
    withCommands.map(([section]) => section),
  );
});
test.for(printedBySection)(
  'whoever follows the section "%s" in an empty folder gets %s',
  async ([section, output], { skip }) => {
    skip(section === 'Python' && isPythonMissing, 'python3 is missing');
    const printed = await follow(emptyFolder(section.replaceAll(' ', '-')), section);
    expect(printed).toMatch(output);
    expect(printed).not.toMatch(/warning/i);
  },
);

const runs: readonly (readonly [section: string, output: RegExp, ...replies: Reply[]])[] = [
  ['TypeScript', /^api-key-invalid No r\n$/, noKey],
  ['TypeScript', /^One\. "1"\n$/, brokenReplies.cutOff, updated],
  ['Python', /^404 space-not-found\n$/, noSpace],
];
test.for(runs)(
  'the program of the section "%s" prints %s',
  async ([section, output, ...replies], { skip }) => {
    skip(section === 'Python' && isPythonMissing, 'python3 is missing');
    const { endpoint } = await startServer(...replies);
    const file = join(installed(), `run-${section === 'Python' ? 'python.py' : 'typescript.ts'}`);
    writeFileSync(file, atUrl(programOf(section).code, endpoint));
    const program = section === 'Python' ? 'python3' : process.execPath;
    expect(await execute(installed(), program, [file])).toMatch(output);
  },
);

test('the package has the built modules, its license and its readme, and nothing else', () => {
  const folder = join(installed(), 'node_modules', 'space-files-client');
  const modules = globSync('*.ts', { cwd: join(projectRoot, 'client') }).map((name) => basename(name, '.ts'));
  const built = modules.flatMap((name) => [join('dist', `${name}.js`), join('dist', `${name}.d.ts`)]);
  const files = globSync('**', { cwd: folder, withFileTypes: true }).filter((entry) => entry.isFile());
  const names = files.map(({ parentPath, name }) => relative(folder, join(parentPath, name)));
  expect(names.toSorted()).toStrictEqual(['LICENSE', 'README.md', 'package.json', ...built].toSorted());

  const read = (...path: string[]) => readFileSync(join(...path), 'utf8');
  expect(read(folder, 'LICENSE')).toBe(read(projectRoot, 'LICENSE'));
  expect(read(folder, 'README.md')).toContain(`\`\`\`ts\n${programOf('TypeScript').code}\`\`\``);
});

test('the package works in a bundle for a browser', async () => {
  const bundle = join(installed(), 'bundle.mjs');
  const options = ['--bundle', '--platform=browser', '--format=esm', `--outfile=${bundle}`];
  await execute(installed(), 'esbuild', ['update.ts', ...options]);
  expect(await execute(installed(), process.execPath, [bundle])).toMatch(updatedLine);
});

// An object that has every code of a type, and no other code: those of the contract, and those of the page.
const onPage = [...page.matchAll(/^- `([a-z-]+)`/gm)].map(([, code = '']) => code);
const codes = Object.fromEntries([...Object.keys(errorResponses), ...onPage].map((code) => [code, true]));
const listOfErrors = `import type { FileUpdate, UpdateError } from 'space-files-client';
export const codes: Record<UpdateError['code'], true> = ${JSON.stringify(codes)};
export const ifMatch: FileUpdate['ifMatch'] = undefined;
`;
test('the TypeScript blocks and the list of errors compile in a project of tsc --init, and for a bundler', async () => {
  const folder = emptyFolder('compiled');
  cpSync(installed(), folder, { recursive: true });
  rmSync(join(folder, 'update.ts'));
  symlinkSync(join(projectRoot, 'node_modules/@aws-sdk'), join(folder, 'node_modules/@aws-sdk'));
  const programs = [...sections.values()].flat().filter(({ language }) => language === 'ts');
  for (const [index, { code }] of [...programs, { code: listOfErrors }].entries())
    writeFileSync(join(folder, `block-${index}.ts`), code);
  await execute(folder, 'tsc', ['--init']);
  const bundled = ['--module', 'esnext', '--moduleResolution', 'bundler'];
  const printed = [
    await execute(folder, 'tsc', ['--noEmit']),
    await execute(folder, 'tsc', ['--noEmit', ...bundled]),
  ];
  expect([programs.length, printed]).toStrictEqual([2, ['', '']]);
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
