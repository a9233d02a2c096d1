import { afterAll, beforeAll, test } from 'vitest';
import { updateFile } from '#handlers/update-file.ts';
import { createHandler } from '#lib/http/create-handler.ts';
import { createStore, liveDeps } from '#lib/runtime/deps.ts';
import { aContext } from '#test/support/event.ts';
import { openTables, seed } from '#test/support/tables.ts';
import { startGateway } from '#tools/dev-server/gateway.ts';
import { allCases } from './cases/all.ts';
import { createHarness } from './harness.ts';
import { createSend } from './http.ts';

// Stryker changes the source in this process, and not the bundle that a service loads.
const tables = await openTables('contract');
const system = { ...liveDeps(), log: () => undefined };
const store = createStore({ client: tables.client, ...tables.config }, system);
const handler = createHandler(updateFile({ ...system, store: () => store }), system);

let gateway: Awaited<ReturnType<typeof startGateway>>;
let harness: ReturnType<typeof createHarness>;
beforeAll(async () => {
  await seed(tables);
  gateway = await startGateway({ lambda: (event) => Reflect.apply(handler, undefined, [event, aContext()]) });
  harness = createHarness(createSend(`http://127.0.0.1:${gateway.port}`));
});
afterAll(() => gateway.close());

for (const given of allCases) test(given.name, () => harness.run(given));
