import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { buildFunction, openSpaces, startFunction } from '#test/lanes/bundle/lambda-function.ts';
import { bareEnvironment, run } from '#test/support/processes.ts';
import { projectRoot } from '#tools/project.ts';

const folder = buildFunction();
const toSource = async (args: readonly string[], lines: string) =>
  run(['tools/bundle/source-lines.ts', ...args], bareEnvironment(), projectRoot, lines);

/** Of the statement that throws, as an editor counts. */
const placeOf = (file: string, statement: string): string => {
  const lines = readFileSync(join(projectRoot, file), 'utf8').split('\n');
  const line = lines.findIndex((text) => text.includes(statement));
  const column = lines[line]?.indexOf(statement.replace('throw ', '')) ?? expect.unreachable();
  return `${file}:${line + 1}:${column + 1}`;
};

test('`source-lines` prints files and lines of the source for the frames in the log line of a 500', async () => {
  const { names } = await openSpaces(1);
  const instance = await startFunction({ names: { ...names, FILES_TABLE: '' } });
  const { response, line: logged } = await instance.send(0);
  expect(response.statusCode).toBe(500);
  const line = JSON.stringify(logged);
  expect(line).not.toContain('lib/runtime/live.ts');
  const { bundle } = logged;
  expect(await instance.startLine()).toMatchObject({ bundle });

  const map = join(folder, `update-file.cjs.${bundle}.map`);
  const { code, stdout, stderr } = await toSource([map], `before\n${line}\nafter\n`);
  expect([code, stderr]).toEqual([0, '']);
  const [before, translated = '', after] = stdout.split('\n');
  expect([before, after]).toEqual(['before', 'after']);
  const [first = '', ...rest]: string[] = JSON.parse(translated).error.at;
  expect(first).toContain(`(${placeOf('lib/runtime/live.ts', 'throw new InternalError(`not set')})`);
  expect(rest.join('\n')).toContain('handlers/update-file.ts:');
  expect(translated).not.toContain('update-file.cjs');
});

const frame = '"at":["at a (/var/task/dist/update-file.cjs:1:100000)"]';
/** The map of the bundle, which each build names by its hash. */
const mapOf = () => globSync(join(folder, '*.map'))[0] ?? expect.unreachable();

test('`source-lines` reads a line that names no build', async () => {
  const { code, stdout } = await toSource([mapOf()], `{${frame}}`);
  expect([code, stdout.includes('update-file.cjs')]).toEqual([0, false]);
});

const otherBuild =
  'The input is of the bundle 0123456789abcdef, and MAP is of another one. Use the map with this hash in its name.';
test.each<[string, (map: string) => string[], input: string, problem: string]>([
  ['no map', () => [], '', 'Usage: npx -c '],
  ['two maps', (map) => [map, map], '', 'Usage: npx -c '],
  ['a map without a hash in its name', () => ['update.map'], '', 'Usage: npx -c '],
  [
    'a console that shows another build',
    (map) => [map],
    `{\n  "bundle" : "0123456789abcdef"\n}\n`,
    otherBuild,
  ],
  ['the start of another build', (map) => [map], `{"bundle":"0123456789abcdef"}\n{${frame}}\n`, otherBuild],
])('`source-lines` refuses %s', async (_, argsWith, input, problem) => {
  const stderr = expect.stringContaining(problem);
  expect(await toSource(argsWith(mapOf()), input)).toEqual({ code: 1, stdout: '', stderr });
});

test('a debugger finds the map of a bundle that `npm start` loads, and the deployed file names none', async () => {
  const file = join(folder, 'update-file.cjs');
  // In another process: a debugger disturbs the measurement of the coverage.
  const script = `
    import { Session } from 'node:inspector';
    import { loadFunction } from './tools/lambda.ts';
    const session = new Session();
    session.connect();
    session.on('Debugger.scriptParsed', ({ params: { url, sourceMapURL } }) => {
      if (url.endsWith('/update-file.cjs')) console.log(sourceMapURL);
    });
    session.post('Debugger.enable');
    loadFunction('${file}', process.stdout);
    session.disconnect();`;
  const { stdout, stderr } = await run(['--input-type=module', '--eval', script]);
  expect([stdout, stderr]).toEqual([`${pathToFileURL(mapOf())}\n`, '']);
  expect(readFileSync(file, 'utf8')).not.toContain('sourceMappingURL');
});
