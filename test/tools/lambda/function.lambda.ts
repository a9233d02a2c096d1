import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import * as z from 'zod';
import { FIRST_VERSION } from '#test/support/given.ts';
import { outcomes } from '#test/support/outcomes.ts';
import { temporaryFolder } from '#test/support/processes.ts';
import { replayEvent } from '#test/support/replay-event.ts';
import { restoreFiles, seed } from '#test/support/seed.ts';
import { openTables } from '#test/support/tables.ts';
import { startFunction } from './start-function.ts';

const deployed = inject('deployed');
const tables = await openTables('lambda');
const start = (folder = deployed) => startFunction(folder, tables.names);

const ResponseSchema = z.strictObject({
  statusCode: z.int(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
});

const startedAt = Date.now() * 1000;
const fixVersion = (version: number) => (version < startedAt ? version : FIRST_VERSION);
/** Expected outcomes have a fixed clock and id. Puts these in place of what a request drew from the real ones. */
const fixDrawnValues = (value: object) =>
  JSON.parse(
    JSON.stringify(value)
      .replace(/\b\d{16}\b/g, (version) => String(fixVersion(Number(version))))
      .replace(/(?<="x-request-id":")[\da-f-]{36}/g, 'request-1')
      .replace(/(?<="w1":")[\da-f]{16}(?=\.\.)/g, 'request1')
      .replace(/(?<="w1":"[^"]*\.)\w+/, (end) => fixVersion(Number.parseInt(end, 36)).toString(36)),
  );

describe('each event of events/ gets its response, its log line, and leaves its record', () => {
  let lambda: Awaited<ReturnType<typeof startFunction>>;
  beforeAll(async () => {
    await seed(tables);
    lambda = await start();
    const [line = ''] = await lambda.linesAfter(0);
    expect(JSON.parse(line)).toMatchObject({ level: 'info', codeCache: 'absent' });
  });
  beforeEach(() => restoreFiles(tables));
  afterAll(async () => {
    await lambda.stop();
    expect(await lambda.stderr).toBe('');
  });

  test.each(Object.entries(outcomes))('%s', async (name, outcome) => {
    const before = lambda.lines.length;
    const getFile: typeof tables.getFile = async (...key) => {
      const item = await tables.getFile(...key);
      return item && fixDrawnValues(item);
    };
    await replayEvent(name, outcome, getFile, async (event, remainingMs) => {
      const response = fixDrawnValues(ResponseSchema.parse(await lambda.invoke(event, remainingMs)));
      return { response, lines: await lambda.linesAfter(before) };
    });
  });
});

describe('a bundle that does not load is reported, and the process ends', () => {
  const copy = temporaryFolder();
  afterAll(copy.remove);

  test.each([
    ['throws', "throw new TypeError('x y');", 'TypeError', 'x y'],
    ['is missing', undefined, 'Runtime.ImportModuleError', 'update-file.cjs'],
    ['is cut short', 'const handler = {', 'Runtime.UserCodeSyntaxError', 'SyntaxError'],
  ])('one that %s', async (name, source, errorType, message) => {
    const folder = join(copy.path, name);
    cpSync(deployed, folder, { recursive: true });
    const bundle = join(folder, 'dist', 'update-file.cjs');
    if (source === undefined) rmSync(bundle);
    else writeFileSync(bundle, source);
    const { nextReport, ended } = await start(folder);
    const body = { errorType, errorMessage: expect.stringContaining(message) };
    expect(await nextReport()).toMatchObject({ path: 'init/error', body });
    expect(await ended).not.toBe(0);
  });
});
