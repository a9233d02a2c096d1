import { delimiter, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { run } from '#test/support/processes.ts';
import { projectRoot } from '#tools/project.ts';
import { copyClient } from './support/copied-client.ts';
import { useFaultyService } from './support/faulty-service.ts';
import { execute, readBlock } from './support/page.ts';

const { start } = useFaultyService('client-copied');
const project = copyClient();
afterAll(project.remove);

const printed = (stdout: string) => ({ code: 0, stdout, stderr: '' });
const updated = printed('What to do in the first week. "1790000000000000"\n');

test('TypeScript compiles the copy in a project of its own, for a browser and without our settings', async () => {
  const { url } = await start();
  project.write('first.ts', readBlock('TypeScript', 'ts', url));
  project.write('second.ts', readBlock('Only if nobody else has written since', 'ts', url));
  // Without an import it is a script, which has no await of its own.
  project.write('third.ts', `${readBlock('TypeScript with fetch alone', 'ts', url)}export {};\n`);
  const compilerOptions = {
    target: 'es2022',
    lib: ['es2022', 'dom'],
    module: 'nodenext',
    strict: true,
    types: [],
    rewriteRelativeImportExtensions: true,
    outDir: 'out',
  };
  const include = ['first.ts', 'second.ts', 'third.ts'];
  const settings = project.write('tsconfig.json', JSON.stringify({ compilerOptions, include }));
  expect(await run(['node_modules/typescript/bin/tsc', '--project', settings])).toStrictEqual(printed(''));
  expect(await run([join(project.path, 'out', 'first.js')])).toStrictEqual(updated);
});

test('esbuild makes one JavaScript file of it', async () => {
  const { url } = await start();
  const command = readBlock('TypeScript', 'sh', url)
    .replace('npx ', '')
    .replace('=space-files.mjs', `='${join(project.path, 'space-files.mjs')}'`);
  const PATH = [join(projectRoot, 'node_modules', '.bin'), process.env['PATH']].join(delimiter);
  await execute('sh', ['-c', command], { PATH });
  const snippet = readBlock('TypeScript', 'ts', url).replace('./space-files/client.ts', './space-files.mjs');
  expect(await run([project.write('snippet.mjs', snippet)])).toStrictEqual(updated);
});
