import { setImmediate } from 'node:timers/promises';
import { type BatchGetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { formatRecentWrite, RECENT_WRITE_ATTRIBUTES } from '#lib/store/recent-writes.ts';
import type { System } from '#lib/system.ts';
import { anEvent } from '#test/support/event.ts';
import { aBasicFile, FILE_ID, NOW } from '#test/support/given.ts';
import {
  createTables,
  given,
  type Item,
  type TableName,
  tableNames,
  toClient,
} from '#test/support/simulated-tables.ts';
import { faultOf, type MessageFault } from './message-faults.ts';

type Operation = typeof import('./operation.ts');

/** What happens outside the service, once, at any moment. */
export type OutsideEvent =
  | 'revoke key'
  | 'make space private'
  | 'make space public'
  | 'make user the owner'
  | 'delete file'
  | 'create file'
  | 'create file without version'
  | 'create file with writes of a copy'
  | 'seven other writes'
  | 'eight other writes';

/** A fault of a process and not of a message. */
type ProcessFault = 'freeze' | 'clock jumps ahead' | 'clock jumps back';

export type SimulatedRequest = {
  readonly name: string;
  /** The Lambda instance that runs it; each runs one request at a time, in this order. */
  readonly process: number;
  readonly patch: { readonly summary?: string | null; readonly documentKind?: string | null };
  /**
   * The first etag of the file, the newest that any caller has got when the request starts, or a list of those that the
   * file may get in the next 60 ms.
   */
  readonly ifMatch?: 'initial' | 'newest' | 'future';
  readonly idempotencyKey?: string;
  /** The request that it repeats: it starts at any time after that one, whatever response the caller got. */
  readonly repeats?: string;
};

/**
 * What the rule does not cover (docs/contract.md, "Known limits"): an idempotency key takes effect again after its file
 * has forgotten it; a file is created again with a version below that of an update on its way, or with the remembered
 * writes of an older copy; an update takes effect after its 5xx, over a later update with a lower version; the network
 * copies a message, and the copy is applied.
 */
export type KnownLimit =
  | 'key forgotten'
  | 'file created again'
  | 'file created with old writes'
  | 'later write replaced'
  | 'message delivered twice';

export type Scenario = {
  readonly name: string;
  readonly requests: readonly SimulatedRequest[];
  /** How far the clock of each process is ahead, in milliseconds; 0 if not listed. */
  readonly clocksAheadMs?: readonly number[];
  readonly events?: readonly OutsideEvent[];
  /** How many faults happen at most, and which. */
  readonly faultLimit: number;
  readonly faults: readonly MessageFault[];
  readonly processFaults?: readonly ProcessFault[];
  /** Whether the file remembers writes before the first request. */
  readonly history?: boolean;
  /** Whether the access read takes part: as two reads, of the key and of the space. Otherwise it succeeds at once. */
  readonly reads?: boolean;
  /** The longest summary and documentKind together, in characters, before an item is too large. */
  readonly maxCharacters?: number;
  /** Milliseconds that pass with each step; 1 if not given. */
  readonly stepMs?: number;
  /** The random numbers of the waits between attempts, in turn and again and again; always 0 if not given. */
  readonly randomNumbers?: readonly number[];
  /** Whether every request must succeed, whatever the faults. */
  readonly allSucceed?: boolean;
  /** How many of all its schedules show each known limit; none if not listed. */
  readonly limits?: { readonly [limit in KnownLimit]?: number };
};

/** What the callers saw of one request, and when: step numbers. */
export type Observed = SimulatedRequest & {
  /** The versions that its If-Match lists; undefined without If-Match. */
  readonly ifMatchVersions: readonly number[] | undefined;
  readonly start: number;
  end: number;
  status: number;
  message?: string;
  etag?: number;
  file?: { readonly summary: string | null; readonly documentKind: string | null };
  replayed: boolean;
  /** How long it took by the clock of its process, in milliseconds. */
  ms: number;
  /** Whether its process was frozen meanwhile. */
  wasFrozen: boolean;
  /** The faults of its own messages. */
  readonly readFaults: MessageFault[];
  readonly writeFaults: MessageFault[];
  /** The versions that it has sent, and when each was sent first. */
  readonly sent: Map<number, number>;
};
/** The file from a step on, and how many writes made this change; 0 if the file was created or deleted. */
type Snapshot = {
  readonly step: number;
  readonly file: FileState | undefined;
  readonly writes: number;
  /** The request that wrote it; undefined if others did. */
  readonly request?: Observed;
  /** Whether the network has made the message, as a copy of one that its sender sent. */
  readonly isCopy?: boolean;
  /** Whether the file was created with the remembered writes of an older copy. */
  readonly hasOldWrites?: boolean;
};
type AccessChange = {
  readonly step: number;
  readonly keyAllows: boolean;
  readonly spaceAllows: boolean;
};

export type Run = {
  readonly observed: readonly Observed[];
  /** Every state of the file, in order. */
  readonly snapshots: readonly Snapshot[];
  readonly access: readonly AccessChange[];
  readonly faultCount: number;
  /** The schedule in words, one line per step. */
  readonly steps: readonly string[];
  /** Where there was more than one option: which of them happened, and out of how many. */
  readonly choices: readonly { readonly index: number; readonly count: number }[];
};

const FileStateSchema = z.object({
  summary: z._default(z.nullable(z.string()), null),
  documentKind: z._default(z.nullable(z.string()), null),
  version: z.number(),
});
export type FileState = Readonly<z.infer<typeof FileStateSchema>>;

const initialFile: FileState = {
  summary: 'first',
  documentKind: 'first',
  version: (NOW - 1000) * 1000,
};
/** So many writes, the latest of which left this version. */
const writesBefore = (version: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) =>
    formatRecentWrite({ id: `other-${index}`, payloadHash: '' }, version - index),
  );
const toAttributes = (writes: readonly unknown[]) =>
  Object.fromEntries(RECENT_WRITE_ATTRIBUTES.map((attribute, index) => [attribute, writes[index]]));
const history = toAttributes(writesBefore(initialFile.version, RECENT_WRITE_ATTRIBUTES.length));
const fileKey = { spaceId: 'handbook', fileId: FILE_ID };
const YEAR_MS = 31_536_000_000;
const FREEZE_MS = 10_000;
/** A run that takes more steps than this does not end. */
const MAX_STEPS = 2_000;

type Process = {
  readonly name: string;
  clockAheadMs: number;
  uptimeAheadMs: number;
  isFrozen: boolean;
  /** The request that it works on. */
  active: Observed | undefined;
  attempts: number;
  /** What arrived while it was frozen. */
  waiting: (() => void)[];
};
type Message = {
  readonly name: string;
  readonly process: Process;
  readonly sender: Observed | undefined;
  readonly command: BatchGetCommand | UpdateCommand;
  /** Gives the sender a result, or an error to throw. */
  readonly settle: (outcome: unknown) => void;
  /** The sender no longer waits for it. */
  detached: boolean;
  readonly isCopy: boolean;
  /** The records read so far, by table. */
  readonly found: Map<string, unknown>;
};
type Timer = { readonly process: Process; due: number; readonly callback: () => void };

/** A thing that can happen next. */
type Option = { readonly label: string; readonly isFault?: true; readonly run: () => void };
/** Chooses the option that happens: its index. Faults are the last options. */
export type Choose = (options: readonly Option[]) => number;

/** The event that must come before another. */
const eventBefore: { readonly [event in OutsideEvent]?: OutsideEvent } = {
  'make space public': 'make space private',
  'make user the owner': 'make space private',
  'create file': 'delete file',
  'create file without version': 'delete file',
  'create file with writes of a copy': 'delete file',
};

/** What an access read still has to read, by table. */
const unreadOf = ({ command, found }: Message) =>
  command instanceof UpdateCommand
    ? []
    : Object.entries(command.input.RequestItems ?? {}).filter(([table]) => !found.has(table));

/**
 * Continues when the code under simulation waits for the next step. That code uses promises and no real timers. Node
 * runs a callback of `process.nextTick` after all promises that are ready, if a promise has asked for it.
 */
const settled = async () => {
  await undefined;
  await new Promise<void>((resolve) => process.nextTick(resolve));
};

/** Everything that changes while a simulation runs. */
type World = {
  readonly tables: ReturnType<typeof createTables>;
  /** Milliseconds since the epoch. */
  time: number;
  step: number;
  faultCount: number;
  readonly network: Set<Message>;
  readonly snapshots: Snapshot[];
  readonly access: AccessChange[];
};

const takeSnapshot = ({ tables, snapshots, step }: World, change: Omit<Snapshot, 'step' | 'file'>): void => {
  const item = tables.get('files', fileKey);
  snapshots.push({ step, file: item && FileStateSchema.parse(item), ...change });
};

/** Lets the table do what a message asks for. Gives its result, or the error that it throws. */
const perform = (world: World, message: Message): unknown => {
  const { command, found, sender } = message;
  try {
    if (command instanceof UpdateCommand) {
      const result = world.tables.update(command.input);
      if (sender) takeSnapshot(world, { writes: 1, request: sender, isCopy: message.isCopy });
      return result;
    }
    for (const [table, read] of unreadOf(message)) found.set(table, world.tables.readOne(table, read));
    return { Responses: Object.fromEntries(found) };
  } catch (error) {
    return error;
  }
};

/** What other services do to the records. */
const outsideEvents = (world: World): Readonly<Record<OutsideEvent, () => void>> => {
  const { tables, access } = world;
  const changeAccess = (table: TableName, item: Item, change: Partial<AccessChange>) => {
    tables.put(table, item);
    access.push({ keyAllows: true, spaceAllows: true, ...access.at(-1), ...change, step: world.step });
  };
  const changeSpace = (change: Item, spaceAllows: boolean) =>
    changeAccess('spaces', { ...given.space, ...change }, { spaceAllows });
  const deleteFile = () => {
    tables.remove('files', fileKey);
    takeSnapshot(world, { writes: 0 });
  };
  const createFile = (version: number, oldWrites: Item = {}) => {
    tables.put('files', aBasicFile({ summary: 'created', documentKind: 'created', version, ...oldWrites }));
    takeSnapshot(world, { writes: 0, hasOldWrites: 'w1' in oldWrites });
  };
  const currentVersion = () => Math.floor(world.time) * 1000;
  const overwriteFile = (writes: number) => {
    const { version, ...item } = tables.get('files', fileKey) ?? {};
    const file = {
      summary: 'other',
      documentKind: 'other',
      version: Math.max(Number(version), currentVersion()) + writes,
    };
    const earlier = RECENT_WRITE_ATTRIBUTES.map((attribute) => item[attribute] ?? '');
    const remembered = toAttributes([...writesBefore(file.version, writes), ...earlier]);
    tables.put('files', { ...item, ...file, ...remembered });
    takeSnapshot(world, { writes });
  };
  return {
    'revoke key': () => changeAccess('apiKeys', { ...given.apiKey, revokedAt: 1 }, { keyAllows: false }),
    'make space private': () => changeSpace({ visibility: 'private' }, false),
    'make space public': () => changeSpace({}, true),
    'make user the owner': () => changeSpace({ visibility: 'private', ownerId: 'grace' }, true),
    'delete file': deleteFile,
    'create file': () => createFile(currentVersion()),
    'create file without version': () => createFile(0),
    'create file with writes of a copy': () => createFile(currentVersion(), history),
    'seven other writes': () => overwriteFile(7),
    'eight other writes': () => overwriteFile(8),
  };
};

const injectFault = (world: World, message: Message, fault: MessageFault): void => {
  const { network } = world;
  const { sender, command } = message;
  (command instanceof UpdateCommand ? sender?.writeFaults : sender?.readFaults)?.push(fault);
  const { applied, response } = faultOf(fault);
  const isCopy = applied === 'twice';
  if (applied === 'later' || isCopy)
    network.add({ ...message, name: `${message.name} (${applied})`, detached: true, isCopy });
  if (applied === 'twice') return;
  if (applied === 'now') perform(world, message);
  if (response) message.settle(response());
  message.detached = true;
  network.delete(message);
};

const disturb = (process: Process, fault: ProcessFault): void => {
  if (fault === 'freeze') {
    process.isFrozen = true;
    if (process.active) process.active.wasFrozen = true;
  } else process.clockAheadMs += fault === 'clock jumps ahead' ? YEAR_MS : -YEAR_MS;
};

/** Each fault that the scenario allows, for each message on its way and each process that runs. */
const faultOptions = (
  world: World,
  { faults, processFaults = [], faultLimit }: Scenario,
  processes: readonly Process[],
): Option[] => {
  if (world.faultCount >= faultLimit) return [];
  const messages = [...world.network].filter(({ detached }) => !detached);
  const running = processes.filter((process) => process.active && !process.isFrozen);
  const option = (name: string, fault: string, happen: () => void): Option => ({
    label: `FAULT ${name}: ${fault}`,
    isFault: true,
    run: () => {
      world.faultCount += 1;
      happen();
    },
  });
  return [
    ...messages.flatMap((message) =>
      faults.map((fault) => option(message.name, fault, () => injectFault(world, message, fault))),
    ),
    ...running.flatMap((process) =>
      processFaults.map((fault) => option(process.name, fault, () => disturb(process, fault))),
    ),
  ];
};

let runs = 0;

/**
 * Runs the real operation on simulated time, network and tables. All that can happen next is listed at each step, one
 * of it is chosen and happens. The same choices always give the same run.
 */
export const simulate = async (
  scenario: Scenario,
  choose: Choose,
  { createUpdateHandler, createUpdateStore }: Operation,
): Promise<Run> => {
  runs += 1;
  // Lets timers of the test runner run now and then: a simulation itself never waits for real time.
  if (runs % 500 === 0) await setImmediate();

  const { requests, clocksAheadMs = [], randomNumbers = [], stepMs = 1 } = scenario;
  const { maxCharacters = Number.POSITIVE_INFINITY } = scenario;
  const tables = createTables({
    isTooLarge: ({ summary, documentKind }) =>
      String(summary ?? '').length + String(documentKind ?? '').length > maxCharacters,
  });
  tables.put('apiKeys', given.apiKey);
  tables.put('spaces', given.space);
  tables.put('files', aBasicFile({ ...initialFile, ...(scenario.history && history) }));

  const world: World = {
    tables,
    time: NOW,
    step: 0,
    faultCount: 0,
    network: new Set(),
    snapshots: [
      { step: 0, file: initialFile, writes: scenario.history ? RECENT_WRITE_ATTRIBUTES.length : 0 },
    ],
    access: [{ step: 0, keyAllows: true, spaceAllows: true }],
  };
  const { network } = world;
  const outside = outsideEvents(world);
  let newestEtag = initialFile.version;
  let randomCount = 0;
  const steps: string[] = [];
  const choices: { index: number; count: number }[] = [];
  const observed: Observed[] = [];
  const timers = new Set<Timer>();
  const happened = new Set<OutsideEvent>();

  const processCount = Math.max(...requests.map(({ process }) => process)) + 1;
  const processes = Array.from({ length: processCount }, (_, index) => {
    const process: Process = {
      name: `process ${index}`,
      clockAheadMs: clocksAheadMs[index] ?? 0,
      uptimeAheadMs: 0,
      isFrozen: false,
      active: undefined,
      attempts: 0,
      waiting: [],
    };
    const environment: System = {
      now: () => Math.floor(world.time) + process.clockAheadMs,
      uptime: () => world.time - NOW + process.uptimeAheadMs,
      startTimer: (ms, callback) => {
        const timer = { process, due: world.time + ms, callback };
        // The end of a wait of 0 ms is no option: whatever could happen before it can also happen after it.
        if (ms === 0) queueMicrotask(callback);
        else timers.add(timer);
        return () => void timers.delete(timer);
      },
      random: () => randomNumbers[randomCount++ % randomNumbers.length] ?? 0,
      newId: () => `request-${process.active?.name}`,
      log: () => undefined,
    };
    const send = (command: Message['command']) =>
      new Promise((resolve, reject) => {
        process.attempts += 1;
        const isWrite = command instanceof UpdateCommand;
        const kind = isWrite ? 'write' : 'read';
        const version = isWrite && command.input.ExpressionAttributeValues?.[':version'];
        if (isWrite && !process.active?.sent.has(version)) process.active?.sent.set(version, world.step);
        const message: Message = {
          name: `${process.active?.name} ${kind} ${process.attempts}`,
          process,
          sender: process.active,
          command,
          detached: false,
          isCopy: false,
          found: new Map(),
          settle: (outcome) => {
            const deliver = () => (outcome instanceof Error ? reject(outcome) : resolve(outcome));
            if (process.isFrozen) process.waiting.push(deliver);
            else deliver();
          },
        };
        if (kind === 'read' && !scenario.reads) message.settle(perform(world, message));
        else network.add(message);
      });
    const store = createUpdateStore({ client: toClient(send), ...tableNames }, environment);
    const deps = { ...environment, store: () => store };
    return Object.assign(process, { handler: createUpdateHandler(deps) });
  });

  const start = async (request: SimulatedRequest, process: (typeof processes)[number]) => {
    const repeated = observed.find(({ name }) => name === request.repeats);
    const ifMatchVersions =
      request.ifMatch &&
      (repeated?.ifMatchVersions ??
        {
          initial: [initialFile.version],
          newest: [newestEtag],
          future: Array.from({ length: 60 }, (_, ms) => (NOW + ms) * 1000),
        }[request.ifMatch]);
    const seen: Observed = {
      ...request,
      ifMatchVersions,
      start: world.step,
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
    const startedAt = world.time + process.uptimeAheadMs;
    const event = anEvent({
      headers: {
        'if-match': ifMatchVersions?.map((version) => `"${version}"`).join(),
        'idempotency-key': request.idempotencyKey,
      },
      body: JSON.stringify(request.patch),
    });
    const { statusCode, headers, body } = await process.handler(event as never, {} as never);
    const content = JSON.parse(body);
    seen.end = world.step;
    seen.status = statusCode;
    seen.ms = world.time + process.uptimeAheadMs - startedAt;
    seen.message = content.message;
    seen.replayed = headers['idempotency-replayed'] === 'true';
    if (headers['etag'] !== undefined) {
      seen.etag = Number(headers['etag'].replaceAll('"', ''));
      newestEtag = seen.etag;
    }
    if (statusCode === 200) seen.file = { summary: content.summary, documentKind: content.documentKind };
    process.active = undefined;
  };

  /** A message arrives. The two records of an access read are read at moments of their own. */
  const deliveriesOf = (message: Message): Option[] => {
    const unread = unreadOf(message);
    if (unread.length > 1)
      return unread.map(([table, read]) => ({
        label: `read ${table} for ${message.name}`,
        run: () => void message.found.set(table, tables.readOne(table, read)),
      }));
    const deliver = () => {
      network.delete(message);
      const outcome = perform(world, message);
      if (!message.detached) message.settle(outcome);
    };
    return [{ label: `deliver ${message.name}`, run: deliver }];
  };

  /** The start of the next request of a process, or its end of being frozen. */
  const continuationsOf = (process: (typeof processes)[number], index: number): Option[] => {
    const thaw = () => {
      process.isFrozen = false;
      process.uptimeAheadMs += FREEZE_MS;
      for (const timer of timers)
        if (timer.process === process) timer.due = Math.max(world.time, timer.due - FREEZE_MS);
      for (const deliver of process.waiting.splice(0)) deliver();
    };
    if (process.isFrozen) return [{ label: `${process.name} thaws`, run: thaw }];
    const hasStarted = ({ name }: SimulatedRequest) => observed.some((other) => other.name === name);
    const next = requests.find((request) => request.process === index && !hasStarted(request));
    if (!next || process.active) return [];
    if (next.repeats !== undefined && !observed.some(({ name }) => name === next.repeats)) return [];
    return [{ label: `start ${next.name}`, run: () => void start(next, process) }];
  };

  const eventOptions = (): Option[] => {
    const possible = (scenario.events ?? []).filter((event) => {
      const before = eventBefore[event];
      return !happened.has(event) && (before === undefined || happened.has(before));
    });
    return possible.map((event) => ({
      label: event,
      run: () => {
        happened.add(event);
        outside[event]();
      },
    }));
  };

  /** Timers fire in the order of time. A message on its way arrives before a timer of its sender fires. */
  const timerOptions = (): Option[] => {
    const running = [...timers].filter(({ process }) => !process.isFrozen);
    if (running.length === 0) return [];
    const earliest = running.reduce((a, b) => (a.due <= b.due ? a : b));
    const { process, due, callback } = earliest;
    if ([...network].some((message) => message.process === process && !message.detached)) return [];
    const fire = () => {
      world.time = Math.max(world.time, due);
      timers.delete(earliest);
      callback();
    };
    return [{ label: `timer of ${process.name}`, run: fire }];
  };

  while (world.step < MAX_STEPS) {
    const options = [
      ...[...network].flatMap(deliveriesOf),
      ...processes.flatMap(continuationsOf),
      ...eventOptions(),
      ...timerOptions(),
      ...faultOptions(world, scenario, processes),
    ];
    if (options.length === 0) break;
    const index = options.length === 1 ? 0 : choose(options);
    if (options.length > 1) choices.push({ index, count: options.length });
    const option = options[index];
    if (!option) throw new Error('the chosen option does not exist');
    world.step += 1;
    world.time += stepMs;
    steps.push(option.label);
    option.run();
    await settled();
  }

  const { snapshots, access, faultCount } = world;
  return { observed, snapshots, access, faultCount, steps, choices };
};
