import { startStubGateway } from '#test/support/gateway.ts';
import { seed } from '#test/support/seed.ts';
import { startService } from '#test/support/service.ts';
import { openTables } from '#test/support/tables.ts';

/** The service over HTTP with the demo data of `npm start`, its clock and its ids held still. */
export const startRunningService = async (prefix: string) => {
  const tables = await openTables(prefix);
  await seed(tables);
  const { send } = startService(tables);
  const { url, close } = await startStubGateway(send);
  return { url, close, tables };
};
