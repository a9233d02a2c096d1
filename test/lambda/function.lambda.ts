import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import * as z from 'zod';
import { hashApiKey } from '#lib/store/keys.ts';
import { expectContract } from '#test/support/contract.ts';
import { FIRST_VERSION } from '#test/support/given.ts';
import { outcomes } from '#test/support/outcomes.ts';
import { temporaryFolder } from '#test/support/processes.ts';
import { readEvent, replayEvent } from '#test/support/replay-event.ts';
import { seed } from '#test/support/seed.ts';
import { openTables, type Tables } from '#test/support/tables.ts';
import demo from '#tools/dev-server/demo-data.json' with { type: 'json' };
import { MEMORY_SIZE, startFunction } from './start-function.ts';

const ResponseSchema = z.strictObject({
  statusCode: z.int(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
});
/** Expected outcomes have a fixed clock and id. Puts these in place of what a request drew from the real ones. */
const fixDrawnValues = () => {
  const startedAt = Date.now() * 1000;
  const drawn = new Map<string, string>();
  /** A version of this request: the one of its etag, or else one of this time. */
  const isNew = (version: unknown) =>
    drawn.size > 1
      ? drawn.has(String(version))
      : Number(version) >= startedAt && Number(version) < (Date.now() + 1) * 1000;
  const fix = (value: unknown, version: unknown) => {
    if (isNew(version)) drawn.set(String(version), String(FIRST_VERSION));
    return JSON.parse(
      [...drawn].reduce((out, [from, to]) => out.replaceAll(from, to), JSON.stringify(value)),
    );
  };
  return {
    response: (found: unknown) => {
      const { headers } = ResponseSchema.parse(found);
      drawn.set(z.uuidv4().parse(headers['x-request-id']), 'request-1');
      return ResponseSchema.parse(fix(found, headers['etag']?.slice(1, -1)));
    },
    record: (item: Record<string, unknown> | undefined) => item && fix(item, item['version']),
  };
};

const deployed = inject('deployed');
describe.runIf(deployed)('under the runtime client of Lambda', () => {
  if (deployed === null) return;
  let tables: Tables;
  beforeAll(async () => {
    tables = await openTables('lambda');
  });
  const start = (folder = deployed) => startFunction(folder, tables.names);

  describe('each event of events/ gets its response, its log line, and leaves its record', () => {
    let lambda: Awaited<ReturnType<typeof startFunction>>;
    beforeAll(async () => {
      lambda = await start();
    });
    beforeEach(() => seed(tables));
    afterAll(() => lambda.stop());

    test.each(Object.entries(outcomes))('%s', async (name, outcome) => {
      const { response, record } = fixDrawnValues();
      const before = lambda.lines.length;
      await replayEvent(name, outcome, {
        tables: { ...tables, getFile: async (...key) => record(await tables.getFile(...key)) },
        start: (_, { remainingMs } = {}) => ({
          send: async (event) => expectContract(response(await lambda.invoke(event, remainingMs))),
          logged: async () => (await lambda.linesAfter(before)).map((line) => JSON.parse(line)),
        }),
      });
    });

    test('then it has printed one line per event, no secret, and had memory to spare', async () => {
      const status = readFileSync(`/proc/${lambda.pid}/status`, 'utf8');
      const peakMemory = Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
      await lambda.stop();
      expect(lambda.lines).toHaveLength(Object.keys(outcomes).length);
      expect(await lambda.stderr).toBe('');
      const sent = Object.keys(outcomes).flatMap((name) => readEvent(name).headers?.['x-api-key'] ?? []);
      const keys = [...demo.apiKeys.map(({ key }) => key), ...sent].filter((key) => key.trim() !== '');
      const texts = ['What to do in the first week.', 'How the first week goes.', 'Grüße', 'No language.'];
      const printed = lambda.lines.join('\n');
      const secrets = [...keys, ...keys.map(hashApiKey), ...texts];
      expect(secrets.filter((secret) => printed.includes(secret))).toEqual([]);
      // For docs/assurance.md.
      process.stdout.write(`Peak memory: ${peakMemory.toFixed(0)} MB\n`);
      expect(peakMemory).toBeLessThan(MEMORY_SIZE);
    });
  });

  describe('a deployment that does not load is reported, and the process ends', () => {
    const copy = temporaryFolder();
    afterAll(copy.remove);
    const folder = join(copy.path, 'task');
    const write = (name: string, source: string) => () => writeFileSync(join(folder, 'dist', name), source);

    test.each<[string, () => void, string, string]>([
      ['a bundle that throws', write('update-file.cjs', "throw new TypeError('x y');"), 'TypeError', 'x y'],
      [
        'a bundle that is missing',
        () => rmSync(join(folder, 'dist', 'update-file.cjs')),
        'Runtime.ImportModuleError',
        'update-file.cjs',
      ],
      [
        'a bundle that is cut short',
        write('update-file.cjs', 'const handler = {'),
        'Runtime.UserCodeSyntaxError',
        'SyntaxError',
      ],
      [
        'a module without a handler',
        write('update-file.mjs', 'export const other = 1;'),
        'Runtime.HandlerNotFound',
        'dist/update-file.handler is undefined or not exported',
      ],
      [
        'no module at all',
        () => rmSync(join(folder, 'dist'), { recursive: true }),
        'Runtime.ImportModuleError',
        'update-file',
      ],
    ])('%s', async (_, spoil, errorType, message) => {
      rmSync(folder, { recursive: true, force: true });
      cpSync(deployed, folder, { recursive: true });
      spoil();
      const { initError, ended } = await start(folder);
      expect(await initError()).toMatchObject({ errorType, errorMessage: expect.stringContaining(message) });
      expect(await ended).not.toBe(0);
    });
  });

  test('without a table name it loads, and each request gets a 500 whose log line names the variable', async () => {
    const { FILES_TABLE: _, ...others } = tables.names;
    const lambda = await startFunction(deployed, others);
    const response = await lambda.invoke(readEvent('updated'));
    expect(response).toMatchObject({ statusCode: 500, body: '{"message":"Internal Server Error"}' });
    const lines = await lambda.linesAfter(0);
    expect(lines.map((line) => JSON.parse(line).reason)).toEqual(['not set: FILES_TABLE']);
    await lambda.stop();
  });
});
