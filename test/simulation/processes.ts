import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Command } from '#lib/store/tables.ts';
import type { System } from '#lib/system.ts';
import { aContext, anEvent } from '#test/support/event.ts';
import { NOW } from '#test/support/fixtures.ts';
import { tableNames, toClient } from '#test/support/simulated-tables.ts';
import type { Observed, Option, ProcessFault, Scenario, SimulatedRequest } from './model.ts';
import type { Network } from './network.ts';
import { initialFile } from './records.ts';
import type { Time } from './time.ts';

type Operation = typeof import('./operation.ts');

/** A Lambda instance, which runs one request at a time. */
export type Process = {
  readonly name: string;
  /** How far its clocks are ahead, in milliseconds. */
  clockAheadMs: number;
  uptimeAheadMs: number;
  isFrozen: boolean;
  /** The request that it works on. */
  active: Observed | undefined;
  attempts: number;
  /** What arrived while it was frozen. */
  waiting: (() => void)[];
};

const YEAR_MS = 31_536_000_000;
const FREEZE_MS = 10_000;

const disturb = (process: Process, fault: ProcessFault): void => {
  if (fault === 'freeze') {
    process.isFrozen = true;
    if (process.active) process.active.wasFrozen = true;
  } else process.clockAheadMs += fault === 'clock jumps ahead' ? YEAR_MS : -YEAR_MS;
};

/** The real operation in each process of a scenario, with clocks, timers and calls of the simulation. */
export const startProcesses = (
  scenario: Scenario,
  { createUpdateHandler }: Operation,
  time: Time<Process>,
  network: Network<Process>,
) => {
  const { requests, clocksAheadMs = [], randomNumbers = [], processFaults = [] } = scenario;
  const { moment } = time;
  const observed: Observed[] = [];
  let newestEtag = initialFile.version;
  let randomCount = 0;

  const sendFor = (process: Process) => (command: Command) =>
    new Promise((resolve, reject) => {
      process.attempts += 1;
      const isWrite = command instanceof UpdateCommand;
      const version = isWrite && command.input.ExpressionAttributeValues?.[':version'];
      if (isWrite && !process.active?.sent.has(version)) process.active?.sent.set(version, moment.step);
      const message = {
        name: `${process.active?.name} ${isWrite ? 'write' : 'read'} ${process.attempts}`,
        process,
        sender: process.active,
        command,
        settle: (outcome: unknown) => {
          const deliver = () => (outcome instanceof Error ? reject(outcome) : resolve(outcome));
          if (process.isFrozen) process.waiting.push(deliver);
          else deliver();
        },
      };
      if (isWrite || scenario.reads) network.send(message);
      else network.sendAtOnce(message);
    });

  const startProcess = (index: number) => {
    const process: Process = {
      name: `process ${index}`,
      clockAheadMs: clocksAheadMs[index] ?? 0,
      uptimeAheadMs: 0,
      isFrozen: false,
      active: undefined,
      attempts: 0,
      waiting: [],
    };
    const system: System = {
      now: () => Math.floor(moment.time) + process.clockAheadMs,
      uptime: () => moment.time - NOW + process.uptimeAheadMs,
      startTimer: (ms, callback) => time.startTimer(process, ms, callback),
      random: () => randomNumbers[randomCount++ % randomNumbers.length] ?? 0,
      newId: () => `request-${process.active?.name}`,
      log: () => undefined,
    };
    const tables = { client: toClient(sendFor(process)), ...tableNames };
    return Object.assign(process, { handler: createUpdateHandler(system, () => tables) });
  };
  type Running = ReturnType<typeof startProcess>;
  const count = Math.max(...requests.map(({ process }) => process)) + 1;
  const processes = Array.from({ length: count }, (_, index) => startProcess(index));

  /** The versions that If-Match lists. A repetition lists the same as the request that it repeats. */
  const ifMatchOf = ({ ifMatch, repeats }: SimulatedRequest): readonly number[] | undefined => {
    if (ifMatch === undefined) return undefined;
    const future = Array.from({ length: 60 }, (_, ms) => (NOW + ms) * 1000);
    const repeated = observed.find(({ name }) => name === repeats);
    return (
      repeated?.ifMatchVersions ?? { initial: [initialFile.version], newest: [newestEtag], future }[ifMatch]
    );
  };

  const start = async (request: SimulatedRequest, process: Running) => {
    const ifMatchVersions = ifMatchOf(request);
    const seen: Observed = {
      ...request,
      ifMatchVersions,
      start: moment.step,
      end: Number.POSITIVE_INFINITY,
      status: 0,
      ms: 0,
      readFaults: [],
      writeFaults: [],
      sent: new Map(),
      wasFrozen: false,
      replayed: false,
    };
    observed.push(seen);
    process.active = seen;
    process.attempts = 0;
    const startedAt = moment.time + process.uptimeAheadMs;
    const event = anEvent({
      headers: {
        'if-match': ifMatchVersions?.map((version) => `"${version}"`).join(),
        'idempotency-key': request.idempotencyKey,
      },
      body: JSON.stringify(request.patch),
    });
    const { statusCode, headers, body } = await process.handler(event, aContext());
    const content = JSON.parse(body);
    seen.end = moment.step;
    seen.status = statusCode;
    seen.ms = moment.time + process.uptimeAheadMs - startedAt;
    seen.message = content.message;
    seen.replayed = headers['idempotency-replayed'] === 'true';
    if (headers['etag'] !== undefined) {
      seen.etag = Number(headers['etag'].replaceAll('"', ''));
      newestEtag = seen.etag;
    }
    if (statusCode === 200) seen.file = { summary: content.summary, documentKind: content.documentKind };
    process.active = undefined;
  };

  const thaw = (process: Process) => {
    process.isFrozen = false;
    process.uptimeAheadMs += FREEZE_MS;
    time.skip(process, FREEZE_MS);
    for (const deliver of process.waiting.splice(0)) deliver();
  };

  const hasStarted = (request: string) => observed.some(({ name }) => name === request);
  /** The start of the next request of a process, or its end of being frozen. */
  const optionsOf = (process: Running, index: number): Option[] => {
    if (process.isFrozen) return [{ label: `${process.name} thaws`, run: () => thaw(process) }];
    const next = requests.find((request) => request.process === index && !hasStarted(request.name));
    if (!next || process.active) return [];
    if (next.repeats !== undefined && !hasStarted(next.repeats)) return [];
    return [{ label: `start ${next.name}`, run: () => void start(next, process) }];
  };

  return {
    observed,
    options: (): Option[] => processes.flatMap(optionsOf),
    /** What may go wrong with a process that works on a request. */
    faults: (): Option[] =>
      processes
        .filter((process) => process.active && !process.isFrozen)
        .flatMap((process) =>
          processFaults.map((fault) => ({
            label: `${process.name}: ${fault}`,
            run: () => disturb(process, fault),
          })),
        ),
  };
};
