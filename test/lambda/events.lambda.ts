import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { hashApiKey } from '#lib/store/keys.ts';
import { expectContract } from '#test/support/contract.ts';
import { outcomes } from '#test/support/outcomes.ts';
import { readEvent, replayEvent, type StartService } from '#test/support/replay-event.ts';
import { seed } from '#test/support/seed.ts';
import { openTables, type Tables } from '#test/support/tables.ts';
import demo from '#tools/dev-server/demo-data.json' with { type: 'json' };
import { report } from './support/report.ts';
import { type LambdaFunction, startFunction, tableVariables } from './support/start-function.ts';
import { holdStill } from './support/still.ts';

const deployed = inject('deployed');
const endpoint = inject('endpoint');
let tables: Tables;
let lambda: LambdaFunction;
beforeAll(async () => {
  tables = await openTables('lambda');
  lambda = await startFunction({ deployed, endpoint, tables: tableVariables(tables.config) });
  await lambda.ready();
});
afterAll(() => lambda.stop());

describe('the deployed zip answers each event of events/ as the contract says and leaves the record so', () => {
  beforeEach(() => seed(tables));

  test.each(Object.entries(outcomes))('%s', async (name, outcome) => {
    const still = holdStill();
    const before = lambda.lines().length;
    const start: StartService = (_, { remainingMs } = {}) => ({
      send: async (event) => expectContract(still.response((await lambda.invoke(event, remainingMs)).answer)),
      logged: async () => (await lambda.linesAfter(before)).map((line) => JSON.parse(line)),
    });
    const getFile: Tables['getFile'] = async (...key) => still.record(await tables.getFile(...key));
    await replayEvent(name, outcome, { tables: { ...tables, getFile }, start });
  });
});

test('after all of them: a line each, nothing else printed, no secret in it, and memory to spare', async () => {
  const peakMemory = lambda.peakMemory();
  await lambda.stop();
  expect(lambda.lines()).toHaveLength(Object.keys(outcomes).length);
  expect(await lambda.complaints).toBe('');
  const keys = [
    ...demo.apiKeys.map(({ key }) => key),
    ...Object.keys(outcomes).flatMap((name) => readEvent(name).headers?.['x-api-key'] ?? []),
  ].filter((key) => key.trim() !== '');
  const texts = ['What to do in the first week.', 'How the first week goes.', 'Grüße', 'No language.'];
  const printed = lambda.lines().join('\n');
  expect([...keys, ...keys.map(hashApiKey), ...texts].filter((secret) => printed.includes(secret))).toEqual(
    [],
  );
  report(
    `peak memory ${peakMemory.toFixed(0)} of ${deployed.memorySize} MB, after ${lambda.lines().length} requests`,
  );
  expect(peakMemory).toBeLessThan(deployed.memorySize);
});
