import { test } from 'vitest';
import { runAsEvent } from '#test/requests/as-event.ts';
import { faults } from '#test/requests/cases/faults.ts';
import { idempotency } from '#test/requests/cases/idempotency.ts';
import { stored } from '#test/requests/cases/stored.ts';
import { update } from '#test/requests/cases/update.ts';
import { service } from '#test/support/service.ts';
import { seed } from '#test/support/simulated-tables.ts';
import { openTables } from '#test/support/tables.ts';

/*
 * The cases that write, on a DynamoDB engine: the simulated tables accept expressions that DynamoDB rejects. What is read
 * and rejected before is the same for all cases (test/requests).
 */
const tables = await openTables('cases');
await seed(tables);

const writing = [...update, ...idempotency, ...stored].filter(
  ({ only, steps }) => only !== 'url' && steps.some(([, { file, written }]) => file ?? written),
);
/** Another service writes too, so the condition of a write decides. */
const contested = faults.filter(({ steps }) => steps.some(([{ meanwhile }]) => meanwhile));
test.each([...writing, ...contested])('$name', async (oneCase) => {
  await runAsEvent(service({ tables }), oneCase, '2.0');
});
