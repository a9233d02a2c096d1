import { fork } from 'node:child_process';
import { hash, randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, inject, onTestFinished } from 'vitest';
import type { ApiResponse } from '#lib/http/responses.ts';
import { ATTEMPT_TIMEOUT_MS } from '#lib/times.ts';
import { expectContract } from '#test/support/contract.ts';
import { anEvent } from '#test/support/event.ts';
import { apiKeyRecord, aSpace } from '#test/support/fixtures.ts';
import { run, settingsFor, temporaryFolder } from '#test/support/processes.ts';
import type { Exchange } from '#test/support/service.ts';
import { openTables } from '#test/support/tables.ts';
import { buildBundle } from '#tools/bundle/bundle.ts';
import { SECRET } from './http-faults.ts';

let deployed = '';
/** Builds what is deployed, for the tests of a file. Returns its folder. */
export const buildFunction = (): string => {
  const { path, remove } = temporaryFolder();
  const file = join(path, 'update-file.cjs');
  beforeAll(async () => {
    const { files } = await buildBundle(file);
    deployed = files.find((name) => name.endsWith('.mjs')) ?? file;
  });
  afterAll(remove);
  return path;
};

/*
 * Spaces have numbers, and a file each. Every text of their records that must not leave the function holds SECRET, every
 * other text names the space or its tenant.
 */
const tenants = ['acme', 'globex', 'initech'];
const tenantOf = (space: number): string => tenants[space % tenants.length] ?? '';
const keyOf = (tenant: string) => `sfk_${SECRET}_${tenant}`;
export const revokedKey = keyOf('umbrella');
const secrets = [SECRET, ...[...tenants, 'umbrella'].map((tenant) => hash('sha256', keyOf(tenant)))];
export const idsOf = (space: number) => ({ spaceId: `space-${space}`, fileId: `file-of-space-${space}` });
/** The summary that a request gives the file of a space. */
export const newSummary = (space: number): string => `${SECRET} new, space-${space}`;

export type Overrides = Parameters<typeof anEvent>[0];
/** A request for the file of a space that succeeds, changed by the overrides. */
export const eventFor = (space: number, { headers, ...rest }: Overrides = {}) =>
  anEvent({
    ...idsOf(space),
    body: JSON.stringify({ summary: newSummary(space) }),
    ...rest,
    headers: {
      'x-api-key': keyOf(tenantOf(space)),
      'x-tenant-id': tenantOf(space),
      'x-user-id': `user-of-${tenantOf(space)}`,
      authorization: SECRET,
      cookie: SECRET,
      ...headers,
    },
  });

const internal = { internal: { [SECRET]: [SECRET] } };
/** The file of a space as it is stored at first. */
const recordOf = (space: number) => ({
  ...idsOf(space),
  ...internal,
  version: 7,
  requestId: SECRET,
  updatedBy: SECRET,
  summary: `${SECRET} old, space-${space}`,
  language: 'en',
  domain: tenantOf(space),
  tags: [{ key: 'of', value: tenantOf(space), aiExtracted: true, [SECRET]: SECRET }],
});

/** Creates tables with so many spaces in an engine. For each, there is a private space and a broken file too. */
export const openSpaces = async (count: number, endpoint = inject('endpoint')) => {
  const { put, get, ...tables } = await openTables(randomUUID(), endpoint);
  const putKey = (tenantId: string, more = {}) =>
    put(
      'apiKeys',
      apiKeyRecord({ key: keyOf(tenantId), keyId: `key-of-${tenantId}`, tenantId, ...internal, ...more }),
    );
  const putSpaceAndFile = async (number: number) => {
    const [file, { spaceId, fileId }] = [recordOf(number), idsOf(number)];
    const space = aSpace({ tenantId: tenantOf(number), spaceId, ownerId: SECRET, ...internal });
    await put('spaces', space);
    await put('spaces', { ...space, spaceId: `${spaceId}-private`, visibility: 'private' });
    await put('files', file);
    await put('files', { ...file, fileId: `broken-${fileId}`, language: 7 });
  };
  const spaces = [...Array(count).keys()];
  await Promise.all([...tenants.map((tenant) => putKey(tenant)), ...spaces.map(putSpaceAndFile)]);
  await putKey('umbrella', { revokedAt: 1 });
  return {
    ...tables,
    spaces,
    getFile: (space: number) => get('files', idsOf(space)),
  };
};

/** What a text holds that a space must not see: secrets, and names of other spaces and tenants. */
export const foreignIn = (text: string, space: number): readonly string[] => [
  ...secrets.filter((secret) => text.includes(secret)),
  ...tenants.filter((name) => name !== tenantOf(space) && text.includes(name)),
  ...[...text.matchAll(/space-(\d+)/g)]
    .filter(([, other]) => Number(other) !== space)
    .map(([found]) => found),
];

/** Expects that a response and its line in the log hold nothing foreign. */
const expectNoLeak = (space: number, { statusCode, headers, body }: ApiResponse, line: string): void => {
  const ownSummary = new RegExp(`"summary":"${SECRET} (new|old), space-${space}"`);
  const text = `${JSON.stringify(headers)} ${statusCode === 200 ? body.replace(ownSummary, '') : body} ${line}`;
  expect(
    foreignIn(text, space),
    `a response or its line in the log has what it must not have: ${text}`,
  ).toEqual([]);
};

type Message = { readonly id: string; readonly value: unknown };
type Resources = { readonly heap: number; readonly resources: readonly string[] };
/** What comes of a request, as from `service()`, and the space of its file. */
export type Sent = Pick<Exchange, 'response' | 'line'> & { readonly space: number };

/** An attempt of the function must last so many times as long as one call takes at the start of the run. */
const ROOM = 20;
let slowness: Promise<number> | undefined;
/**
 * How much slower than in Lambda the clock of the function must go on this machine: 1 if it is quiet. Measured once, by
 * new processes that call the engine, one for each core.
 */
const measureSlowness = (endpoint = inject('endpoint')): Promise<number> => {
  const call = `const start = performance.now();
    await fetch('${endpoint}', { method: 'POST' }).then((response) => response.text());
    console.log(performance.now() - start);`;
  const measure = async () => {
    const cores = Array.from({ length: availableParallelism() }, () =>
      run(['--input-type=module', '--eval', call]),
    );
    const milliseconds = (await Promise.all(cores)).map(({ stdout }) => Number(stdout));
    return Math.max(1, (ROOM * Math.max(...milliseconds)) / ATTEMPT_TIMEOUT_MS);
  };
  slowness ??= measure();
  return slowness;
};

/**
 * The function in a process of its own, as Lambda runs it: by default the file that is deployed, without flags of V8.
 *
 * @param names environment variables: the names of the tables
 */
export const startFunction = async (
  { names }: { readonly names: Readonly<Record<string, string>> },
  endpoint = inject('endpoint'),
  { file = deployed, flags = [] as readonly string[], env = {} as Readonly<Record<string, string>> } = {},
) => {
  const child = fork(new URL('lambda-process.ts', import.meta.url), [file], {
    env: { ...settingsFor(endpoint), ...names, ...env, SLOWNESS: `${await measureSlowness()}` },
    execArgv: [...flags],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const replies = new EventEmitter().setMaxListeners(0);
  child.on('message', ({ id, value }: Message) => replies.emit(id, value));
  /** The lines of the log by the id of the request. The one of the start has none. */
  const lines = new Map<string, string[]>();
  createInterface({ input: child.stdout ?? expect.unreachable() }).on('line', (line) => {
    const { requestId = 'start' } = JSON.parse(line);
    lines.set(requestId, [...(lines.get(requestId) ?? []), line]);
    replies.emit(requestId);
  });
  const end = new AbortController();
  const ended = once(child, 'exit').then(() => end.abort(new Error(`it has ended: ${stderr}`)));
  let asked = 0;
  const ask = async <Value>(message: object): Promise<Value> => {
    const id = `${++asked}`;
    const reply = once(replies, id, { signal: end.signal });
    // Its callback takes the error of a process that ends just now, which `reply` reports too.
    if (child.connected) child.send({ id, ...message }, () => undefined);
    const [value] = await reply;
    return value;
  };
  const kill = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  onTestFinished(kill);
  await once(replies, 'loaded', { signal: end.signal });
  /** @throws when the function throws, or its process ends */
  const invoke = (event: unknown, remainingMs: number) => ask<ApiResponse>({ event, remainingMs });
  const sent: Sent[] = [];
  /** The one line of a request. The pipe may be later than the response. */
  const lineOf = async (id = ''): Promise<string> => {
    if (!lines.has(id)) await once(replies, id, { signal: end.signal });
    const [line = '', ...more] = lines.get(id) ?? [];
    expect([stderr, more]).toEqual(['', []]);
    return line;
  };
  return {
    /** The line that each start leaves before those of requests, parsed. */
    startLine: async (): Promise<unknown> => JSON.parse(await lineOf('start')),
    child,
    kill,
    /** Every response so far. */
    sent: (): readonly Sent[] => sent,
    stderr: (): string => stderr,
    invoke,
    /** Sends a request for the file of a space. It must leave one line in the log, and nothing foreign anywhere. */
    send: async (space: number, overrides?: Overrides, remainingMs = 10_000): Promise<Sent> => {
      const response = expectContract(await invoke(eventFor(space, overrides), remainingMs));
      const line = await lineOf(response.headers['x-request-id']);
      expectNoLeak(space, response, line);
      const result = { space, response, line: JSON.parse(line) };
      sent.push(result);
      return result;
    },
    /** Bytes of the heap after a garbage collection, and what keeps the process alive. */
    inspect: () => ask<Resources>({}),
  };
};
