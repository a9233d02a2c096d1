import { type BatchGetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Environment } from '#lib/context.ts';
import { hashApiKey } from '#lib/store/keys.ts';
import { faultOf, type MessageFault } from './faults.ts';
import { createTables, tableNames, toClient } from './tables.ts';

type Operation = typeof import('./operation.ts');

/** What happens outside the service, once, at any moment. */
export type OutsideEvent =
  | 'revoke key'
  | 'make space private'
  | 'make space public'
  | 'make user the owner'
  | 'delete file'
  | 'create file'
  | 'create file without version';

/** A fault of a process and not of a message. */
export type ProcessFault = 'freeze' | 'clock jumps ahead' | 'clock jumps back';

export type SimulatedRequest = {
  readonly name: string;
  /** The Lambda instance that runs it; each runs one request at a time, in this order. */
  readonly process: number;
  readonly patch: { readonly summary?: string | null; readonly documentKind?: string | null };
  /** The etag of the file as it was first, or the newest that anybody was answered when the request starts. */
  readonly ifMatch?: 'initial' | 'newest';
};

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
  /** Whether the access read takes part: as two reads, of the key and of the space. Otherwise it succeeds at once. */
  readonly reads?: boolean;
  /** The longest summary and documentKind together, in characters, before an item is too large. */
  readonly maxCharacters?: number;
  /** Milliseconds that pass with each step; 1 if not given. */
  readonly stepMs?: number;
  /** Whether every request must succeed, whatever the faults. */
  readonly allSucceed?: boolean;
};

/** What the callers saw of one request, and when: step numbers. */
export type Observed = SimulatedRequest & {
  readonly ifMatchVersion: number | undefined;
  readonly start: number;
  end: number;
  status: number;
  message: string | undefined;
  etag: number | undefined;
  file: { readonly summary: string | null; readonly documentKind: string | null } | undefined;
  /** How long it took by the clock of its process, in milliseconds. */
  ms: number;
  /** The faults of its own messages. */
  readonly readFaults: MessageFault[];
  readonly writeFaults: MessageFault[];
  /** When its writes were applied. */
  readonly effects: number[];
};
export type FileState = {
  readonly summary: string | null;
  readonly documentKind: string | null;
  readonly version: number;
};
/** A change of the file that was not a request. */
export type Replacement = { readonly step: number; readonly file: FileState | undefined };
export type AccessChange = {
  readonly step: number;
  readonly keyAllows: boolean;
  readonly spaceAllows: boolean;
};

export type Run = {
  readonly observed: readonly Observed[];
  readonly replacements: readonly Replacement[];
  readonly access: readonly AccessChange[];
  readonly finalFile: FileState | undefined;
  readonly faultCount: number;
  readonly isFrozen: boolean;
  /** The schedule in words, one line per step. */
  readonly steps: readonly string[];
};

export const INITIAL_TIME = 1_790_000_000_000;
export const initialFile: FileState = {
  summary: 'first',
  documentKind: 'first',
  version: (INITIAL_TIME - 1000) * 1000,
};
const fileKey = { spaceId: 'space', fileId: 'file' };
const YEAR_MS = 31_536_000_000;
const FREEZE_MS = 10_000;
/** A run that takes more steps than this does not end. */
const MAX_STEPS = 2_000;

const toItem = ({ version, ...file }: FileState) => ({
  ...fileKey,
  language: 'en',
  domain: 'hr',
  ...file,
  version,
});
const FileStateSchema = z.object({
  summary: z._default(z.nullable(z.string()), null),
  documentKind: z._default(z.nullable(z.string()), null),
  version: z.number(),
});

type Message = {
  readonly name: string;
  readonly process: number;
  readonly sender: Observed | undefined;
  readonly command: BatchGetCommand | UpdateCommand;
  readonly settle: (outcome: { value: unknown } | { error: unknown }) => void;
  /** The sender no longer waits for it. */
  detached: boolean;
  /** The records read so far, by table. */
  readonly found: Map<string, unknown>;
};
type Timer = { readonly process: number; due: number; readonly callback: () => void };

/** A thing that can happen next. */
type Option = { readonly label: string; readonly run: () => void };
/** Everything that can happen next: first what is no fault, then the faults. */
export type Options = {
  readonly count: number;
  readonly normalCount: number;
  readonly labelOf: (index: number) => string;
};
/** Decides which of the options happens: its index. */
export type Choose = (options: Options) => number;
export const isFault = (label: string) => label.startsWith('FAULT');

/**
 * Continues when nothing is left to do but to wait. The code under simulation uses promises only, no real timers. A tick
 * runs after all promises only if it is asked for by one of them.
 */
const settled = async () => {
  await undefined;
  await new Promise<void>((resolve) => process.nextTick(resolve));
};

/**
 * Runs the real operation on simulated time, network and tables. All that can happen next is listed at each step, one
 * of it is chosen and happens. The same choices always give the same run.
 *
 * @param random from 0 up to 1, for the waits between attempts
 */
export const simulate = async (
  scenario: Scenario,
  choose: Choose,
  { updateFile, createHandler, createStore }: Operation,
  random: () => number = () => 0,
): Promise<Run> => {
  const {
    requests,
    faults,
    processFaults = [],
    clocksAheadMs = [],
    stepMs = 1,
    maxCharacters = Number.POSITIVE_INFINITY,
  } = scenario;
  const tables = createTables({
    isTooLarge: ({ summary, documentKind }) =>
      String(summary ?? '').length + String(documentKind ?? '').length > maxCharacters,
  });
  const keyHash = hashApiKey('key');
  const apiKey = { keyHash, keyId: 'key-1', tenantId: 'acme', scope: 'PRODUCT', roles: ['editor'] };
  const space = { tenantId: 'acme', spaceId: 'space', ownerId: 'ada', visibility: 'public' };
  tables.put('apiKeys', apiKey);
  tables.put('spaces', space);
  tables.put('files', toItem(initialFile));

  let time = INITIAL_TIME;
  let step = 0;
  let newestEtag = initialFile.version;
  let faultCount = 0;
  let isFrozen = false;
  const steps: string[] = [];
  const observed: Observed[] = [];
  const replacements: Replacement[] = [];
  const access: AccessChange[] = [{ step: 0, keyAllows: true, spaceAllows: true }];
  const network: Message[] = [];
  const timers: Timer[] = [];
  const happened = new Set<OutsideEvent>();

  const processCount = Math.max(...requests.map(({ process }) => process)) + 1;
  const processes = Array.from({ length: processCount }, (_, index) => {
    const state = {
      clockAheadMs: clocksAheadMs[index] ?? 0,
      uptimeAheadMs: 0,
      isFrozen: false,
      active: undefined as Observed | undefined,
      attempts: 0,
      waiting: [] as (() => void)[],
    };
    const environment: Environment = {
      now: () => Math.floor(time) + state.clockAheadMs,
      uptime: () => time - INITIAL_TIME + state.uptimeAheadMs,
      startTimer: (ms, callback) => {
        const timer = { process: index, due: time + ms, callback };
        // A wait of no time needs no choice: whatever comes between it and what follows can come after that as well.
        if (ms === 0) queueMicrotask(callback);
        else timers.push(timer);
        return () => void remove(timers, timer);
      },
      random,
      newId: () => `request-${state.active?.name}`,
      log: () => undefined,
    };
    const send = (command: Message['command']) =>
      new Promise((resolve, reject) => {
        state.attempts += 1;
        const kind = command instanceof UpdateCommand ? 'write' : 'read';
        const message: Message = {
          name: `${state.active?.name} ${kind} ${state.attempts}`,
          process: index,
          sender: state.active,
          command,
          detached: false,
          found: new Map(),
          settle: (outcome) => {
            const deliver = () => ('value' in outcome ? resolve(outcome.value) : reject(outcome.error));
            if (state.isFrozen) state.waiting.push(deliver);
            else deliver();
          },
        };
        if (kind === 'read' && !scenario.reads) message.settle(perform(message));
        else network.push(message);
      });
    const store = createStore({ client: toClient(send), ...tableNames }, environment);
    const deps = { ...environment, store: () => store };
    return { name: `process ${index}`, state, handler: createHandler(updateFile(deps), deps) };
  });

  /** Lets the table do what a message asks for. */
  const perform = (message: Message): { value: unknown } | { error: unknown } => {
    const { command, found, sender } = message;
    try {
      if (command instanceof UpdateCommand) {
        const value = tables.update(command.input);
        sender?.effects.push(step);
        return { value };
      }
      for (const [table, read] of Object.entries(readsOf(message)))
        if (!found.has(table)) found.set(table, tables.readOne(table, read));
      return { value: { Responses: Object.fromEntries(found) } };
    } catch (error) {
      return { error };
    }
  };

  const start = async (request: SimulatedRequest) => {
    const process = processes[request.process];
    if (!process) throw new Error('no such process');
    const { state, handler } = process;
    const ifMatchVersion =
      request.ifMatch && (request.ifMatch === 'initial' ? initialFile.version : newestEtag);
    const seen: Observed = {
      ...request,
      ifMatchVersion,
      start: step,
      end: Number.POSITIVE_INFINITY,
      status: 0,
      message: undefined,
      etag: undefined,
      file: undefined,
      ms: 0,
      readFaults: [],
      writeFaults: [],
      effects: [],
    };
    observed.push(seen);
    state.active = seen;
    state.attempts = 0;
    const startedAt = time + state.uptimeAheadMs;
    const { statusCode, headers, body } = await handler(
      {
        version: '2.0',
        headers: {
          'x-user-id': 'grace',
          'x-tenant-id': 'acme',
          'x-api-key': 'key',
          'content-type': 'application/json',
          ...(ifMatchVersion && { 'if-match': `"${ifMatchVersion}"` }),
        },
        pathParameters: fileKey,
        body: JSON.stringify(request.patch),
      } as never,
      {} as never,
    );
    const content = JSON.parse(body);
    seen.end = step;
    seen.status = statusCode;
    seen.ms = time + state.uptimeAheadMs - startedAt;
    seen.message = content.message;
    seen.etag = headers['etag'] === undefined ? undefined : Number(headers['etag'].replaceAll('"', ''));
    if (statusCode === 200) seen.file = { summary: content.summary, documentKind: content.documentKind };
    if (seen.etag !== undefined) newestEtag = seen.etag;
    state.active = undefined;
  };

  const replaceFile = (file: FileState | undefined) => {
    if (file) tables.put('files', { ...toItem(file), requestId: 'created' });
    else tables.remove('files', fileKey);
    replacements.push({ step, file });
  };
  const created = { summary: 'created', documentKind: 'created' };
  const changeSpace = (change: object, spaceAllows: boolean) => {
    tables.put('spaces', { ...space, ...change });
    access.push({ step, keyAllows: access.at(-1)?.keyAllows ?? true, spaceAllows });
  };
  const revokeKey = () => {
    tables.put('apiKeys', { ...apiKey, revokedAt: 1 });
    access.push({ step, keyAllows: false, spaceAllows: access.at(-1)?.spaceAllows ?? true });
  };
  /** What each event does, and the event that must come before it. */
  const outside: Record<OutsideEvent, { readonly after?: OutsideEvent; readonly run: () => void }> = {
    'revoke key': { run: revokeKey },
    'make space private': { run: () => changeSpace({ visibility: 'private' }, false) },
    'make space public': { after: 'make space private', run: () => changeSpace({}, true) },
    'make user the owner': {
      after: 'make space private',
      run: () => changeSpace({ visibility: 'private', ownerId: 'grace' }, true),
    },
    'delete file': { run: () => replaceFile(undefined) },
    'create file': {
      after: 'delete file',
      run: () => replaceFile({ ...created, version: Math.floor(time) * 1000 }),
    },
    'create file without version': {
      after: 'delete file',
      run: () => replaceFile({ ...created, version: 0 }),
    },
  };
  const mayHappen = (event: OutsideEvent) => {
    const { after } = outside[event];
    return !happened.has(event) && (after === undefined || happened.has(after));
  };

  const inject = (message: Message, name: MessageFault) => {
    const { applied, response } = faultOf(name);
    if (applied === 'later' || applied === 'twice')
      network.push({ ...message, name: `${message.name} (${applied})`, detached: true });
    if (applied === 'twice') return;
    if (applied === 'now') perform(message);
    const seen = response?.();
    if (seen instanceof Error) message.settle({ error: seen });
    else if (seen !== undefined) message.settle({ value: seen });
    message.detached = true;
    remove(network, message);
  };

  const isWaiting = (process: number) =>
    network.some((message) => message.process === process && !message.detached);

  const hasStarted = (request: SimulatedRequest) => observed.some(({ name }) => name === request.name);
  const mayStart = (request: SimulatedRequest, index: number) => {
    const { state } = processes[request.process] ?? {};
    const before = requests.slice(0, index).filter(({ process }) => process === request.process);
    return !hasStarted(request) && before.every(hasStarted) && !state?.active && !state?.isFrozen;
  };

  /** What can happen without a fault. */
  const normalOptions = (): Option[] => {
    const options: Option[] = [];
    for (const message of network) {
      const unread = Object.entries(readsOf(message)).filter(([table]) => !message.found.has(table));
      if (unread.length < 2)
        options.push({
          label: `deliver ${message.name}`,
          run: () => {
            remove(network, message);
            const outcome = perform(message);
            if (!message.detached) message.settle(outcome);
          },
        });
      else
        for (const [table, read] of unread)
          options.push({
            label: `read ${table} for ${message.name}`,
            run: () => void message.found.set(table, tables.readOne(table, read)),
          });
    }
    requests.forEach((request, index) => {
      if (mayStart(request, index))
        options.push({ label: `start ${request.name}`, run: () => void start(request) });
    });
    processes.forEach(({ name, state }, index) => {
      if (state.isFrozen)
        options.push({
          label: `${name} thaws`,
          run: () => {
            state.isFrozen = false;
            state.uptimeAheadMs += FREEZE_MS;
            for (const timer of timers)
              if (timer.process === index) timer.due = Math.max(time, timer.due - FREEZE_MS);
            for (const deliver of state.waiting.splice(0)) deliver();
          },
        });
    });
    for (const event of scenario.events ?? [])
      if (mayHappen(event))
        options.push({
          label: event,
          run: () => {
            happened.add(event);
            outside[event].run();
          },
        });
    // Time passes in order, and a message that is on its way arrives before its sender gives it up.
    const running = timers.filter(({ process }) => !processes[process]?.state.isFrozen);
    const earliest = running.reduce<Timer | undefined>((a, b) => (a && a.due <= b.due ? a : b), undefined);
    if (earliest && !isWaiting(earliest.process))
      options.push({
        label: `timer of process ${earliest.process}`,
        run: () => {
          time = Math.max(time, earliest.due);
          remove(timers, earliest);
          earliest.callback();
        },
      });
    return options;
  };

  const messageFault = (message: Message, fault: MessageFault): Option => ({
    label: `FAULT ${message.name}: ${fault}`,
    run: () => {
      const { sender, command } = message;
      (command instanceof UpdateCommand ? sender?.writeFaults : sender?.readFaults)?.push(fault);
      inject(message, fault);
    },
  });
  const processFault = ({ name, state }: (typeof processes)[number], fault: ProcessFault): Option => ({
    label: `FAULT ${name}: ${fault}`,
    run: () => {
      isFrozen ||= fault === 'freeze';
      if (fault === 'freeze') state.isFrozen = true;
      else state.clockAheadMs += fault === 'clock jumps ahead' ? YEAR_MS : -YEAR_MS;
    },
  });

  /** The faults that can happen. There are many, so an option is made only of those that are asked for. */
  const possibleFaults = () => {
    if (faultCount >= scenario.faultLimit) return [];
    const messages = network.filter(({ detached }) => !detached);
    const running = processes.filter(({ state }) => state.active && !state.isFrozen);
    return [
      ...messages.flatMap((message) => faults.map((fault) => ({ message, fault }))),
      ...running.flatMap((process) => processFaults.map((fault) => ({ process, fault }))),
    ];
  };

  for (; step < MAX_STEPS; ) {
    const normal = normalOptions();
    const faulty = possibleFaults();
    const optionAt = (index: number): Option => {
      const pair = faulty[index - normal.length];
      if (pair)
        return 'message' in pair
          ? messageFault(pair.message, pair.fault)
          : processFault(pair.process, pair.fault);
      const option = normal[index];
      if (!option) throw new Error('the chosen option does not exist');
      return option;
    };
    const count = normal.length + faulty.length;
    if (count === 0) break;
    const options = { count, normalCount: normal.length, labelOf: (index: number) => optionAt(index).label };
    const option = optionAt(count === 1 ? 0 : choose(options));
    step += 1;
    time += stepMs;
    steps.push(option.label);
    if (isFault(option.label)) faultCount += 1;
    option.run();
    await settled();
  }

  const item = tables.get('files', fileKey);
  const finalFile = item && FileStateSchema.parse(item);
  return { observed, replacements, access, finalFile, faultCount, isFrozen, steps };
};

const readsOf = ({ command }: Message) =>
  command instanceof UpdateCommand ? {} : (command.input.RequestItems ?? {});

const remove = <Member>(list: Member[], member: Member): void => {
  const index = list.indexOf(member);
  if (index >= 0) list.splice(index, 1);
};
