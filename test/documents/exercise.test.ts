import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { bareEnvironment, copyProject, run, temporaryFolder } from '#test/support/processes.ts';
import { projectRoot } from '#tools/project.ts';

const folder = temporaryFolder();
afterAll(folder.remove);
const readme = readFileSync(join(projectRoot, 'README.md'), 'utf8').replaceAll(/\n {3}/g, ' ');

/** The files that the README changes in lib/, and the lines that it adds to objects in them. */
const edits = [...readme.matchAll(/^\d\. `(lib\/[^`]+)`: add (.*)$/gm)].map(([, file = '', text = '']) => ({
  file,
  lines: [...text.matchAll(/`(author: [^`]+)` to `(\w+)`/g)].map(([, line, object]) => ({ line, object })),
}));

test('who adds a field as the README says is told what else to change', { timeout: 120_000 }, async () => {
  copyProject(folder.path);
  for (const { file, lines } of edits) {
    const path = join(folder.path, file);
    const add = (source: string, { line, object }: (typeof lines)[number]) =>
      source.replace(new RegExp(`const ${object} = .*\\{`), `$& ${line},`);
    writeFileSync(path, lines.reduce(add, readFileSync(path, 'utf8')));
  }

  const runTool = async (...args: string[]) => {
    const { stdout, stderr } = await run(args, bareEnvironment(), folder.path);
    return stripVTControlCharacters(stderr + stdout);
  };
  const types = await runTool('node_modules/typescript/bin/tsc', '--noEmit');
  const tests = await runTool('node_modules/vitest/vitest.mjs', 'run', 'test/documents/openapi/documents');
  expect([...types.matchAll(/^(\S+)\(/gm)].map(([, file]) => file)).toEqual([]);
  expect([...tests.matchAll(/^ FAIL +.*? > (.*)$/gm)].map(([, name]) => name)).toEqual([
    'openapi.yaml > has the statuses, messages and media types of the code, and no other',
    'openapi.yaml > has the fields of the code',
    'aFile() in test/support/given.ts has the fields of the code, in their order',
    'the first file of tools/tables/demo-data.json has the fields of the code, in their order',
    'EDITABLE in test/support/given.ts has the fields of the code, in their order',
    'test/support/responses.ts has the messages of the code',
    'docs/contract.md names each field of a file',
    'openapi.yaml has the limits',
    'docs/contract.md has the limits and the promises',
  ]);
});
