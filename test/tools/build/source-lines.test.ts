import { copyFileSync, globSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { buildFunction, openLanes, startFunction } from '#test/faults/process/harness.ts';
import { bareEnvironment, run } from '#test/support/processes.ts';
import { buildBundle } from '#tools/build/bundle.ts';
import { defaultOptimizations } from '#tools/build/optimizations.ts';
import { projectRoot } from '#tools/project.ts';

const folder = buildFunction();
const toSource = async (args: readonly string[], lines: string) =>
  run(['tools/build/source-lines.ts', ...args], bareEnvironment(), projectRoot, lines);

/** Of the statement that throws, as an editor counts. */
const placeOf = (file: string, statement: string): string => {
  const lines = readFileSync(join(projectRoot, file), 'utf8').split('\n');
  const line = lines.findIndex((text) => text.includes(statement));
  const column = lines[line]?.indexOf(statement.replace('throw ', '')) ?? expect.unreachable();
  return `${file}:${line + 1}:${column + 1}`;
};

test.each([
  ['plain', defaultOptimizations],
  ['code-cache', [...defaultOptimizations, 'code-cache' as const]],
])('the frames in the log line of a 500 become files and lines: %s', async (name, optimizations) => {
  const file = join(folder, name, 'update-file.cjs');
  await buildBundle({ file, optimizations });
  const { names } = await openLanes(1);
  const unset = { names: { ...names, FILES_TABLE: '' } };
  const instance = await startFunction(unset, undefined, { file: file.replace(/cjs$/, 'mjs') });
  expect(await instance.send(0)).toMatchObject({ statusCode: 500 });
  const [line = ''] = await instance.lines();
  expect(line).not.toContain('lib/runtime/deps.ts');
  expect(await instance.startLine()).toMatchObject({ bundle: JSON.parse(line).bundle });

  const maps = globSync(`${file}.*.map`);
  expect(maps).toEqual([`${file}.${JSON.parse(line).bundle}.map`]);
  const { code, stdout, stderr } = await toSource(maps, `before\n${line}\nafter\n`);
  expect([code, stderr]).toEqual([0, '']);
  const [before, translated = '', after] = stdout.split('\n');
  expect([before, after]).toEqual(['before', 'after']);
  const [first = '', ...rest]: string[] = JSON.parse(translated).error.at;
  expect(first).toContain(`(${placeOf('lib/runtime/deps.ts', 'throw new InternalError(`not set')})`);
  expect(rest.join('\n')).toContain('handlers/update-file.ts:');
  expect(translated).not.toContain('update-file.cjs');
});

test.each([
  ['no map', []],
  ['two maps', ['a', 'b']],
])('%s: the usage is printed, and the exit code is 1', async (_, args) => {
  const { code, stderr } = await toSource(args, '');
  expect([code, stderr]).toEqual([1, expect.stringContaining('Usage: npx -c ')]);
});

const frame = '"at":["at a (/var/task/dist/update-file.cjs:1:100000)"]';
test.each([
  ['a line', `{"level":"error","bundle":"0123456789abcdef",${frame}}\n`],
  ['a line as the console shows it', `{\n  "bundle" : "0123456789abcdef",\n  ${frame}\n}\n`],
  ['the start of an instance', `{"level":"info","bundle":"0123456789abcdef"}\n{${frame}}\n`],
])('the map of another build is refused, and nothing is printed: %s', async (_, input) => {
  const [map = ''] = globSync(join(folder, '*.map'));
  const hash = map.slice(-20, -4);
  const problem = `The input is of the bundle 0123456789abcdef, and MAP of the bundle ${hash}.`;
  expect(await toSource([map], input)).toMatchObject({
    code: 1,
    stdout: '',
    stderr: `${problem} Use update-file.cjs.0123456789abcdef.map.\n`,
  });
});

test('a line of the same build, and a line that does not name its build, are translated', async () => {
  const [map = ''] = globSync(join(folder, '*.map'));
  for (const line of [`{"bundle":"${map.slice(-20, -4)}",${frame}}`, `{${frame}}`]) {
    const { code, stdout } = await toSource([map], line);
    expect([code, stdout.includes('update-file.cjs')]).toEqual([0, false]);
  }
});

test('a map whose name does not tell its build is refused', async () => {
  const [map = ''] = globSync(join(folder, '*.map'));
  const renamed = join(folder, 'renamed.map');
  copyFileSync(map, renamed);
  onTestFinished(() => rmSync(renamed));
  const { code, stdout, stderr } = await toSource([renamed], `{${frame}}`);
  expect([code, stdout, stderr]).toEqual([
    1,
    '',
    'MAP must be named update-file.cjs.HASH.map, as the build named it.\n',
  ]);
});

test('input without a place in the bundle is reported', async () => {
  const { code, stderr } = await toSource(globSync(join(folder, '*.map')), 'at other.js:1:2\n');
  expect([code, stderr]).toEqual([1, 'No place in the bundle was found in the input.\n']);
});
