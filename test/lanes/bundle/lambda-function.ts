import { fork } from 'node:child_process';
import { hash, randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, onTestFinished, vi } from 'vitest';
import type { ApiResponse } from '#lib/http/responses.ts';
import { ATTEMPT_TIMEOUT_MS } from '#lib/times.ts';
import { expectContract } from '#test/support/contract.ts';
import { anEvent } from '#test/support/event.ts';
import { apiKeyRecord, aSpace } from '#test/support/fixtures.ts';
import { run, settingsFor, temporaryFolder } from '#test/support/processes.ts';
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
const eventFor = (space: number, { headers, ...rest }: Overrides = {}) =>
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

type Message = { readonly id: string; readonly value: unknown };
type Resources = { readonly heap: number; readonly resources: readonly string[] };
export type Sent = ApiResponse & { readonly space: number };

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
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      printed[name] += text;
    });
  const replies = new EventEmitter().setMaxListeners(0);
  child.on('message', ({ id, value }: Message) => replies.emit(id, value));
  const end = new AbortController();
  const ended = once(child, 'exit').then(() => end.abort(new Error(`it has ended: ${printed.stderr}`)));
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
  const linesOf = (stdout: string) => stdout.split('\n').slice(0, -1);
  return {
    /** The line that each start leaves before those of requests, parsed. */
    startLine: (): Promise<unknown> => vi.waitFor(() => JSON.parse(linesOf(printed.stdout)[0] ?? '')),
    child,
    kill,
    /** Every response so far. */
    sent: (): readonly Sent[] => sent,
    stderr: (): string => printed.stderr,
    invoke,
    send: async (space: number, overrides?: Overrides, remainingMs = 10_000): Promise<Sent> => {
      const response = await invoke(eventFor(space, overrides), remainingMs);
      const result = { ...expectContract(response), space };
      sent.push(result);
      return result;
    },
    /** Bytes of the heap after a garbage collection, and what keeps the process alive. */
    inspect: () => ask<Resources>({}),
    /** The lines of the requests, once there is one for each response: the pipe may be later than the responses. */
    lines: (): Promise<readonly string[]> =>
      vi.waitFor(() => {
        const lines = linesOf(printed.stdout).filter((line) => 'outcome' in JSON.parse(line));
        if (lines.length < sent.length) throw new Error(`${lines.length} lines of ${sent.length}`);
        return lines;
      }, 10_000),
  };
};
type LambdaFunction = Awaited<ReturnType<typeof startFunction>>;

/** What a text holds that a space must not see: secrets, and names of other spaces and tenants. */
export const foreignIn = (text: string, space: number): readonly string[] => [
  ...secrets.filter((secret) => text.includes(secret)),
  ...tenants.filter((name) => name !== tenantOf(space) && text.includes(name)),
  ...[...text.matchAll(/space-(\d+)/g)]
    .filter(([, other]) => Number(other) !== space)
    .map(([found]) => found),
];

/** Responses and log hold nothing foreign. The log has one line for each response, stderr has none. */
export const expectNoLeak = async (instance: LambdaFunction): Promise<void> => {
  const [lines, sent] = [await instance.lines(), instance.sent()];
  const lineOf = new Map(lines.map((line) => [JSON.parse(line).requestId, line]));
  expect([instance.stderr(), lines.length, lineOf.size]).toEqual(['', sent.length, sent.length]);
  for (const { space, statusCode, headers, body } of sent) {
    const ownSummary = new RegExp(`"summary":"${SECRET} (new|old), space-${space}"`);
    const rest = statusCode === 200 ? body.replace(ownSummary, '') : body;
    const line = lineOf.get(headers['x-request-id']) ?? expect.unreachable();
    const text = `${JSON.stringify(headers)} ${rest} ${line}`;
    expect([text, foreignIn(text, space)]).toEqual([text, []]);
  }
};
