import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { replaceMarkedPart } from '#local/openapi/marked-part.ts';
import { staleDocuments, writeDocuments } from '#local/openapi/write-documents.ts';
import { run, temporaryFolder } from '#test/support/processes.ts';
import { projectRoot } from '#tools/project.ts';

let folder: ReturnType<typeof temporaryFolder>;
const read = (root: string, path: string) => readFileSync(join(root, path), 'utf8');

beforeEach(() => {
  folder = temporaryFolder();
  mkdirSync(join(folder.path, 'docs'));
  for (const path of ['openapi.yaml', 'docs/contract.md'])
    cpSync(join(projectRoot, path), join(folder.path, path));
});
afterEach(() => folder.remove());

test('openapi.yaml and docs/contract.md are as npm run generate writes them', () => {
  expect([...staleDocuments(projectRoot).keys()], 'npm run generate writes them anew').toEqual([]);
});

test('what was changed by hand or is missing is found, and written anew', () => {
  const page = read(folder.path, 'docs/contract.md');
  const changed = page.replace('| `Space not found` |', '| `No space` |');
  expect(changed).not.toBe(page);
  writeFileSync(join(folder.path, 'docs/contract.md'), changed);
  rmSync(join(folder.path, 'openapi.yaml'));

  expect(writeDocuments(folder.path)).toEqual(['openapi.yaml', 'docs/contract.md']);
  expect(read(folder.path, 'docs/contract.md')).toBe(page);
  expect(read(folder.path, 'openapi.yaml')).toBe(read(projectRoot, 'openapi.yaml'));
  expect(writeDocuments(folder.path)).toEqual([]);
});

test('what is written by hand around the marked part stays', () => {
  const part = { from: '<!-- a -->', to: '<!-- /a -->', part: 'new' };
  expect(replaceMarkedPart('x\n<!-- a -->\nold\n<!-- /a -->\ny\n', part)).toBe(
    'x\n<!-- a -->\nnew\n<!-- /a -->\ny\n',
  );
});

test.each(['', '<!-- a -->\n', '<!-- /a -->\n', '<!-- a -->\n<!-- /a -->\n<!-- a -->\n<!-- /a -->\n'])(
  'a page without the two lines, once each, is refused: %j',
  (page) => {
    const part = { from: '<!-- a -->', to: '<!-- /a -->', part: 'new' };
    expect(() => replaceMarkedPart(page, part)).toThrow('must stand once, each on a line of its own');
  },
);

test('the command explains itself, and refuses what it does not know', async () => {
  const help = await run(['local/generate.ts', '--help']);
  expect(help).toMatchObject({ code: 0, stderr: '' });
  expect(help.stdout).toContain('Usage: npm run generate\n');
  expect(help.stdout).toContain('openapi.yaml, docs/contract.md');
  expect(await run(['local/generate.ts', '--frob'])).toStrictEqual({
    code: 1,
    stdout: '',
    stderr: "Unknown option '--frob'. Run `npm run generate -- --help` to list the options.\n",
  });
});
