import { expect, inject, test } from 'vitest';
import { readEvent } from '#test/support/replay-event.ts';
import { seed } from '#test/support/seed.ts';
import { openTables } from '#test/support/tables.ts';
import { report } from './support/report.ts';
import { startFunction, tableVariables } from './support/start-function.ts';

const deployed = inject('deployed');
const starts = 11;

const told = (times: readonly number[]): string => {
  const sorted = times.toSorted((a, b) => a - b).map((ms) => ms.toFixed(0));
  return `${sorted[(starts - 1) / 2]} ms (${sorted[0]} to ${sorted.at(-1)})`;
};

test('a cold start answers; how long it takes is told', async () => {
  const tables = await openTables('cold');
  await seed(tables);
  const init: number[] = [];
  const first: number[] = [];
  const whole: number[] = [];
  for (let start = 0; start < starts; start += 1) {
    const startedAt = performance.now();
    const lambda = await startFunction({
      deployed,
      endpoint: inject('endpoint'),
      tables: tableVariables(tables.config),
    });
    await lambda.ready();
    init.push(performance.now() - startedAt);
    const { answer, ms } = await lambda.invoke(readEvent('updated'));
    first.push(ms);
    whole.push(performance.now() - startedAt);
    await lambda.stop();
    expect(answer).toMatchObject({ statusCode: 200 });
  }
  report(`init ${told(init)}, median of ${starts} cold starts`);
  report(`first answer ${told(first)} after init`);
  report(`both ${told(whole)}`);
});
