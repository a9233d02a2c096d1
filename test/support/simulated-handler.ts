import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { createUpdateHandler } from '#handlers/update-file.ts';
import { expectContract } from './contract.ts';
import { aContext } from './event.ts';
import { type Item, type SimulatedTables, sendTo, tableNames, toClient } from './simulated-tables.ts';
import { createTestSystem } from './system.ts';
import { endIfUnknown } from './unknown.ts';

/** What a call does, and the keys of its items. */
type Call = readonly ['update' | 'read' | 'read, not consistent', ...(Item | undefined)[]];
const describeCall = (command: Parameters<Parameters<typeof toClient>[0]>[0]): Call => {
  if (command instanceof UpdateCommand) return ['update', command.input.Key];
  const reads = Object.values(command.input.RequestItems ?? {});
  const isConsistent = reads.every(({ ConsistentRead }) => ConsistentRead);
  return [isConsistent ? 'read' : 'read, not consistent', ...reads.flatMap(({ Keys }) => Keys)];
};

/**
 * The real operation over simulated tables, in a system without real time.
 *
 * @param network passes each call on to the tables
 */
export const createSimulatedHandler = (
  tables: SimulatedTables,
  testSystem = createTestSystem(),
  network = (send: () => Promise<unknown>) => send(),
) => {
  const send = sendTo(tables);
  let calls: Call[] = [];
  let lines: string[] = [];
  const client = toClient((command) => {
    calls.push(describeCall(command));
    return network(() => send(command));
  });
  const system = { ...testSystem, log: (line: string) => void lines.push(line) };
  const handler = createUpdateHandler(system, () => ({ ...tableNames, client }));
  /** @param event any value at all, as Lambda would pass it */
  return async (event: unknown) => {
    [calls, lines] = [[], []];
    const response = await handler(event, aContext());
    endIfUnknown();
    return { response: expectContract(response), calls, lines };
  };
};
