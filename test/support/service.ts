import { createUpdateHandler } from '#handlers/update-file.ts';
import type { Command } from '#lib/store/tables.ts';
import { expectContract } from './contract.ts';
import { aContext, anEvent } from './event.ts';
import { demoTables, type TestTables, toClient } from './simulated-tables.ts';
import { createTestSystem } from './system.ts';
import { endIfUnknown } from './unknown.ts';

/** A call to DynamoDB on its way. `deliver` gives it to the tables, and gives what the SDK would: a result or an error. */
type Call = {
  readonly command: Command;
  readonly deliver: () => Promise<unknown>;
  readonly signal: AbortSignal | undefined;
};

export type Network = (call: Call) => Promise<unknown>;

/**
 * The service in this process: the real operation, whose surroundings a test has in its hands.
 *
 *     const { send } = service({ network: ({ deliver }) => deliver() });
 *     const { response, line, calls, records } = await send(anEvent({ body: '{}' }));
 *
 * @param tables what is stored: simulated, with the demo data, or tables of an engine (tables.ts)
 * @param network what happens to a call: it can be lost (a promise that never settles), fail, or get another response
 * @param system clocks, ids and chance. Time passes only while a request waits for a timer. Each request begins a
 * millisecond after the one before.
 */
export const service = ({
  tables = demoTables() as TestTables,
  network = (({ deliver }) => deliver()) as Network,
  system = createTestSystem(),
} = {}) => {
  let requests = 0;
  let delivering = 0;
  let calls: Command['input'][] = [];
  const lines = new Map<unknown, Record<string, unknown>[]>();

  const client = toClient((command, signal) => {
    calls.push(command.input);
    const deliver = async () => {
      delivering += 1;
      return tables.send(command).finally(() => {
        delivering -= 1;
      });
    };
    return network({ command, deliver, signal });
  });
  const now = () => system.now() + requests - 1;
  const log = (text: string) => {
    const line = JSON.parse(text);
    lines.set(line.requestId, [...(lines.get(line.requestId) ?? []), line]);
  };
  const handler = createUpdateHandler({ ...system, now, log }, () => ({ ...tables.config, client }));

  /**
   * @param event any value at all, as Lambda would pass it
   * @param remainingMs what Lambda says is left
   */
  const send = async (event: unknown = anEvent(), remainingMs = 10_000) => {
    requests += 1;
    calls = [];
    /** What the request draws: its id, and the version of its write. */
    const drawn = { requestId: `request-${requests}`, version: now() * 1000 };
    const pending = handler(event, aContext(remainingMs));
    const response = expectContract(await system.waitFor(pending, () => delivering > 0));
    endIfUnknown();
    const [line, ...more] = lines.get(response.headers['x-request-id']) ?? [];
    lines.delete(line?.['requestId']);
    if (line === undefined || more.length > 0)
      throw new Error('the request has not left one line in the log');
    /** `line` is that of the log, parsed. `records` is all that is stored now. */
    return { response, line, calls, records: await tables.records(), drawn };
  };
  return { send, tables, system };
};
export type Exchange = Awaited<ReturnType<ReturnType<typeof service>['send']>>;
