import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import {
  directClient,
  type Item,
  type SimulatedTables,
  tableNames,
  toClient,
} from '#test/simulation/tables.ts';
import { startService as startServiceOver } from '#test/support/service.ts';

const scale = Number(process.env['RUNS_SCALE'] ?? 1);
/** How often a property is tried: the same cases in each run of the gate, others and more with RUNS_SCALE=10. */
export const runs = (numRuns: number) =>
  scale === 1 ? { numRuns, seed: 20_261_121 } : { numRuns: numRuns * scale };

/** What a call does, and the keys of its items. */
type Call = readonly ['update' | 'read' | 'read, not consistent', ...(Item | undefined)[]];
const describeCall = (command: Parameters<Parameters<typeof toClient>[0]>[0]): Call => {
  if (command instanceof UpdateCommand) return ['update', command.input.Key];
  const reads = Object.values(command.input.RequestItems ?? {});
  const isConsistent = reads.every(({ ConsistentRead }) => ConsistentRead);
  return [isConsistent ? 'read' : 'read, not consistent', ...reads.flatMap(({ Keys }) => Keys)];
};

/** The real operation over simulated tables. */
export const startService = (tables: SimulatedTables) => {
  const client = directClient(tables);
  let calls: Call[] = [];
  let lines: string[] = [];
  const recording = toClient((command) => {
    calls.push(describeCall(command));
    return Reflect.apply(client.send, client, [command]);
  });
  const log = (line: string) => void lines.push(line);
  const { send } = startServiceOver({ client: recording, config: tableNames }, { log });
  /** @param event any value at all, as Lambda would pass it */
  return async (event: unknown) => {
    [calls, lines] = [[], []];
    return { response: await send(event), calls, lines };
  };
};
