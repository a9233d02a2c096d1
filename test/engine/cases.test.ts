import { test } from 'vitest';
import { createInvoke, numberRequests, runAsEvent } from '#test/requests/as-event.ts';
import { idempotency } from '#test/requests/cases/idempotency.ts';
import { stored } from '#test/requests/cases/stored.ts';
import { update } from '#test/requests/cases/update.ts';
import { openTables, seed } from '#test/support/tables.ts';

/*
 * The cases that write, on a DynamoDB engine: the simulated tables accept expressions that DynamoDB rejects. What is read
 * and rejected before is the same for all cases (test/requests).
 */
const tables = await openTables('cases');
await seed(tables);
const numbered = numberRequests();
const invoke = createInvoke({ ...tables.config, client: tables.client }, numbered);

const writing = [...update, ...idempotency, ...stored].filter(
  ({ only, steps }) => only !== 'url' && steps.some(([, { file, written }]) => file ?? written),
);
test.each(writing)('$name', async (oneCase) => {
  await runAsEvent({ tables, draw: numbered.draw, invoke }, oneCase, '2.0');
});
