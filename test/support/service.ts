import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { createUpdateHandler } from '#handlers/update-file.ts';
import type { Command } from '#lib/store/tables.ts';
import { expectContract } from './contract.ts';
import { aContext, anEvent } from './event.ts';
import { lost, type Network } from './message-faults.ts';
import { demoTables, type TestTables, toClient } from './simulated-tables.ts';
import { createTestSystem } from './system.ts';
import { endIfUnknown, unknown } from './unknown.ts';

/** More than the retry budget of an instance allows, or that many requests at once need (test/simulation/outage.test.ts). */
const MAX_CALLS = 5_000;
const toTables: Network = ({ deliver }) => deliver();

/**
 * The service in this process: the real operation, whose surroundings a test has in its hands.
 *
 *     const { send } = service();
 *     const { response, line, calls, records } = await send(anEvent({ body: '{}' }));
 *
 * @param tables what is stored: simulated, with the demo data, or tables of an engine (tables.ts)
 * @param system clocks, ids and chance. Time passes only while a request waits for a timer. Each request begins a
 * millisecond after the one before.
 */
export const service = ({ tables = demoTables() as TestTables, system = createTestSystem() } = {}) => {
  let requests = 0;
  const onTheirWay = new Set<Promise<unknown>>();
  let writtenAt: number | undefined;
  let network: Network = toTables;
  let calls: Command['input'][] = [];
  const lines = new Map<unknown, Record<string, unknown>[]>();

  const now = () => system.now() + requests - 1;
  const client = toClient(async (command, signal) => {
    calls.push(command.input);
    if (calls.length > MAX_CALLS) unknown(`how a request ends that has made ${MAX_CALLS} calls`);
    if (command instanceof UpdateCommand) writtenAt ??= now();
    const pending = network({ command, deliver: () => tables.send(command), signal });
    onTheirWay.add(pending);
    const outcome = await pending.finally(() => onTheirWay.delete(pending));
    return outcome === lost ? new Promise(() => undefined) : outcome;
  });
  const log = (text: string) => {
    const line = JSON.parse(text);
    lines.set(line.requestId, [...(lines.get(line.requestId) ?? []), line]);
  };
  const handler = createUpdateHandler({ ...system, now, log }, () => ({ ...tables.config, client }));

  /**
   * @param event any value at all, as Lambda would pass it
   * @param remainingMs what Lambda says is left
   * @param through what happens to the calls of the request. By default, the tables get them
   */
  const send = async (event: unknown = anEvent(), { remainingMs = 10_000, through = toTables } = {}) => {
    requests += 1;
    calls = [];
    network = through;
    const requestId = `request-${requests}`;
    writtenAt = undefined;
    const pending = handler(event, aContext(remainingMs));
    const response = expectContract(await system.waitFor(pending, onTheirWay));
    endIfUnknown();
    const [line, ...more] = lines.get(response.headers['x-request-id']) ?? [];
    lines.delete(line?.['requestId']);
    if (line === undefined || more.length > 0)
      throw new Error('the request has not left one line in the log');
    /** What the request has drawn: its id, and the version of its first write, which is the time. */
    const drawn = { requestId, version: (writtenAt ?? now()) * 1000 };
    /**
     * `line` is that of the log, parsed. `records` is all that is stored now. `calls` and `drawn` are mixed if requests run at
     * the same time.
     */
    return { response, line, calls, records: await tables.records(), drawn };
  };
  return { send, tables, system };
};
export type Exchange = Awaited<ReturnType<ReturnType<typeof service>['send']>>;
