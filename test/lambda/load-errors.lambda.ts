import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import { temporaryFolder } from '#test/support/processes.ts';
import { readEvent } from '#test/support/replay-event.ts';
import { openTables, type Tables } from '#test/support/tables.ts';
import { type LambdaFunction, startFunction, tableVariables } from './support/start-function.ts';

const deployed = inject('deployed');
let tables: Tables;
let lambda: LambdaFunction | undefined;
const copy = temporaryFolder();
const task = join(copy.path, 'task');
beforeAll(async () => {
  tables = await openTables('load');
});
afterEach(() => lambda?.stop());
afterAll(copy.remove);

/** Starts a copy of what is deployed, once something has been done to its files. */
const startSpoilt = async (spoil: (dist: string) => void) => {
  rmSync(task, { recursive: true, force: true });
  cpSync(deployed.folder, task, { recursive: true });
  spoil(join(task, 'dist'));
  lambda = await startFunction({
    deployed: { ...deployed, folder: task },
    endpoint: inject('endpoint'),
    tables: tableVariables(tables.config),
  });
  return lambda;
};

test.each([
  [
    'a bundle that throws',
    (dist: string) => writeFileSync(join(dist, 'update-file.cjs'), "throw new TypeError('spoilt');"),
    { errorType: 'TypeError', errorMessage: 'spoilt' },
  ],
  [
    'a bundle that is missing',
    (dist: string) => rmSync(join(dist, 'update-file.cjs')),
    { errorType: 'Runtime.ImportModuleError', errorMessage: expect.stringContaining('update-file.cjs') },
  ],
  [
    'a bundle that is cut short',
    (dist: string) => writeFileSync(join(dist, 'update-file.cjs'), 'const handler = {'),
    { errorType: 'Runtime.UserCodeSyntaxError', errorMessage: expect.stringContaining('SyntaxError') },
  ],
  [
    'a module without a handler',
    (dist: string) => writeFileSync(join(dist, 'update-file.mjs'), 'export const other = 1;'),
    {
      errorType: 'Runtime.HandlerNotFound',
      errorMessage: 'dist/update-file.handler is undefined or not exported',
    },
  ],
  [
    'no module at all',
    (dist: string) => rmSync(dist, { recursive: true }),
    { errorType: 'Runtime.ImportModuleError', errorMessage: expect.stringContaining('update-file') },
  ],
])('%s is reported at load, and the process ends', async (_, spoil, error) => {
  const { initError, ended } = await startSpoilt(spoil);
  expect(await initError()).toEqual(error);
  expect(await ended).not.toBe(0);
});

test('a table name that is missing is no error at load: each request is answered 500, and the log names it', async () => {
  const { FILES_TABLE: _, ...others } = tableVariables(tables.config);
  lambda = await startFunction({ deployed, endpoint: inject('endpoint'), tables: others });
  await lambda.ready();
  const { answer } = await lambda.invoke(readEvent('updated'));
  expect(answer).toMatchObject({ statusCode: 500, body: '{"message":"Internal Server Error"}' });
  const lines = await lambda.linesAfter(0);
  expect(lines.map((line) => JSON.parse(line).reason)).toEqual(['not set: FILES_TABLE']);
});
