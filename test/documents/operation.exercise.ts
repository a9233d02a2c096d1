import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bareEnvironment, copyProject, run, startProject, temporaryFolder } from '#test/support/processes.ts';
import { projectRoot } from '#tools/project.ts';

/*
 * The steps of CONTRIBUTING.md, "Add an operation", in a copy of the project. Before a block of code, the page says where
 * it goes: write a file, or below, above or in place of the line of a file that begins with some text.
 */
const folder = temporaryFolder();
afterAll(folder.remove);
const copy = join(folder.path, 'copy');
const env = bareEnvironment({ SPACE_FILES_STATE_DIR: folder.path });
const at = (path: string) => join(copy, path);
const read = (path: string) => readFileSync(at(path), 'utf8');

/** Runs a script of the copy. Throws with what it prints if it fails. */
const runInCopy = async (...args: string[]): Promise<string> => {
  const { code, stdout, stderr } = await run(args, env, copy);
  if (code !== 0) throw new Error(`${args.join(' ')}\nended with ${code}: ${stdout}${stderr}`);
  return stdout;
};
const vitest = (...args: string[]) => runInCopy('node_modules/vitest/vitest.mjs', 'run', ...args);
const serverless = (...args: string[]) => runInCopy('node_modules/serverless/bin/serverless.js', ...args);

const page = readFileSync(join(projectRoot, 'CONTRIBUTING.md'), 'utf8');
const [, section = ''] = page.split('\n## Add an operation\n');
const steps = [...section.matchAll(/(\S[^`]*(?:`[^`]+`[^`]*)*):\n\n```\w+\n(.*?\n)```/gs)];

/** Makes a step. Returns the name of its file. */
const makeStep = ([, text = '', code = '']: RegExpExecArray): string => {
  const words = text.replaceAll(/\s+/g, ' ');
  const [, written] = /Write `([^`]+)`$/.exec(words) ?? [];
  if (written !== undefined) {
    writeFileSync(at(written), code, { flag: 'wx' });
    return `${written} (new)`;
  }
  const [, path = '', place, start = ''] =
    /In `([^`]+)`, (below|above|in place of) `([^`]+)`$/.exec(words) ?? expect.unreachable(words);
  const lines = read(path).split(/(?<=\n)/);
  const found = lines.flatMap((line, index) => (line.trimStart().startsWith(start) ? [index] : []));
  const [index = 0] = found;
  if (found.length !== 1) throw new Error(`${path} has ${found.length} lines that begin with ${start}`);
  lines.splice(place === 'below' ? index + 1 : index, place === 'in place of' ? 1 : 0, code);
  writeFileSync(at(path), lines.join(''));
  return path;
};

const built = { before: '', after: '' };
const files = new Set<string>();
beforeAll(async () => {
  copyProject(copy);
  // The checks and the tests of documents read them.
  for (const name of ['.ci', '.github', '.gitignore', '.gitleaks.toml'])
    cpSync(join(projectRoot, name), at(name), { recursive: true });
  const build = async () => {
    await runInCopy('tools/bundle/build.ts');
    return read('dist/update-file.cjs');
  };
  built.before = await build();
  for (const step of steps) files.add(makeStep(step));
  built.after = await build();
  await vitest('test/documents/infra/infra', '-u');
});

test('the steps write four files, and change three', () => {
  expect([...files]).toEqual([
    'lib/domain/api-key.ts',
    'lib/store/read-file.ts (new)',
    'handlers/read-file.ts (new)',
    'serverless.yml',
    'events/read-file.json (new)',
    'openapi.yaml',
    'test/requests/read-file.test.ts (new)',
  ]);
});

test('the bundle of the first operation stays the same', () => {
  expect(built.after.length).toBeGreaterThan(0);
  expect(built.after === built.before).toBe(true);
});

test('the template has two functions and two routes, and a role for each with only its rights', () => {
  const template = read('test/documents/infra/template-prod.yaml');
  const all = (pattern: RegExp) => template.match(pattern);
  expect(all(/(?<=^ +Handler: ).+/gm)).toEqual(['dist/update-file.handler', 'dist/read-file.handler']);
  expect(all(/(?<=^ +RouteKey: ).+/gm)).toEqual([
    'PATCH /v1/spaces/{spaceId}/files/{fileId}',
    'GET /v1/spaces/{spaceId}/files/{fileId}',
  ]);
  expect(all(/(?<=^ +Action: )dynamodb:.+/gm)).toEqual([
    'dynamodb:BatchGetItem',
    'dynamodb:UpdateItem',
    'dynamodb:BatchGetItem',
    'dynamodb:GetItem',
  ]);
});

test('npm start answers both, and `serverless invoke local` runs both', async () => {
  const project = await startProject([], env, copy);
  try {
    const url = `${project.url}/v1/spaces/handbook/files/3f2b8c1e-6a4d-4c57-9e0f-1b7a2d9c5e80`;
    const headers = { 'x-api-key': 'demo-editor-key', 'x-tenant-id': 'acme', 'x-user-id': 'grace' };
    const json = { ...headers, 'content-type': 'application/json' };
    const body = '{"summary":"Updated."}';
    const updated = await fetch(url, { method: 'PATCH', headers: json, body });
    const found = await fetch(url, { headers });
    expect([updated.status, found.status]).toEqual([200, 200]);
    expect(found.headers.get('etag')).toBe(updated.headers.get('etag'));
    const file: unknown = await found.json();
    expect(file).toEqual(await updated.json());
    expect(file).toMatchObject({ summary: 'Updated.' });

    const [afterUpdate, afterRead] = [
      await serverless('invoke', 'local', '-f', 'updateFile', '-p', 'events/cleared.json'),
      await serverless('invoke', 'local', '-f', 'readFile', '-p', 'events/read-file.json'),
    ];
    for (const printed of [afterUpdate, afterRead]) {
      expect(printed).toMatch(/^ +"statusCode": 200,$/m);
      expect(printed).toContain('\\"summary\\":null');
    }
  } finally {
    await project.stop();
  }
});

test('the checks and the tests of the copy are green', async () => {
  await runInCopy('tools/check.ts');
  // The search for faults runs the source of the first operation, which the steps do not change.
  await vitest('--exclude', 'test/simulation/**');
});
