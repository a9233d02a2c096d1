import { fork } from 'node:child_process';
import { hash, randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, onTestFinished, vi } from 'vitest';
import type { ApiResponse } from '#lib/http/responses.ts';
import { expectContract } from '#test/support/contract.ts';
import { settingsFor } from '#test/support/endpoint.ts';
import { anEvent } from '#test/support/event.ts';
import { anApiKey, aSpace } from '#test/support/given.ts';
import { temporaryFolder } from '#test/support/processes.ts';
import { openTables } from '#test/support/tables.ts';
import { buildBundle } from '#tools/build/bundle.ts';
import { SECRET } from './faults.ts';

let deployed = '';
/** Builds what is deployed, for the tests of a file. Returns its folder. */
export const buildFunction = (): string => {
  const { path, remove } = temporaryFolder();
  deployed = join(path, 'update-file.mjs');
  beforeAll(async () => void (await buildBundle({ file: join(path, 'update-file.cjs') })));
  afterAll(remove);
  return path;
};

/*
 * A lane is a space of a tenant with a file in it. Every text of its records that must not leave the function holds
 * SECRET, every other text names the lane or its tenant.
 */
const tenants = ['acme', 'globex', 'initech'];
const tenantOf = (lane: number): string => tenants[lane % tenants.length] ?? '';
const keyOf = (tenant: string) => `sfk_${SECRET}_${tenant}`;
export const revokedKey = keyOf('umbrella');
const secrets = [SECRET, ...[...tenants, 'umbrella'].map((tenant) => hash('sha256', keyOf(tenant)))];
export const idsOf = (lane: number) => ({ spaceId: `lane-${lane}`, fileId: `file-of-lane-${lane}` });
/** The summary that a request gives the file of a lane. */
export const newSummary = (lane: number): string => `${SECRET} new, lane-${lane}`;

export type Overrides = Parameters<typeof anEvent>[0];
/** A request for the file of a lane that succeeds, changed by the overrides. */
const laneEvent = (lane: number, { headers, ...rest }: Overrides = {}) =>
  anEvent({
    ...idsOf(lane),
    body: JSON.stringify({ summary: newSummary(lane) }),
    ...rest,
    headers: {
      'x-api-key': keyOf(tenantOf(lane)),
      'x-tenant-id': tenantOf(lane),
      'x-user-id': `user-of-${tenantOf(lane)}`,
      authorization: SECRET,
      cookie: SECRET,
      ...headers,
    },
  });

const internal = { internal: { [SECRET]: [SECRET] } };
/** The file of a lane as it is stored at first. */
export const recordOf = (lane: number) => ({
  ...idsOf(lane),
  ...internal,
  version: 7,
  requestId: SECRET,
  updatedBy: SECRET,
  summary: `${SECRET} old, lane-${lane}`,
  language: 'en',
  domain: tenantOf(lane),
  tags: [{ key: 'of', value: tenantOf(lane), aiExtracted: true, [SECRET]: SECRET }],
});

/** Creates tables with so many lanes in an engine. Each lane has a private space and a broken file too. */
export const openLanes = async (count: number, endpoint = inject('endpoint')) => {
  const { putApiKey, putSpace, putFile, getFile, ...tables } = await openTables(randomUUID(), endpoint);
  const putKey = (tenantId: string, more = {}) =>
    putApiKey(
      anApiKey({ key: keyOf(tenantId), keyId: `key-of-${tenantId}`, tenantId, ...internal, ...more }),
    );
  const putLane = async (lane: number) => {
    const [file, { spaceId, fileId }] = [recordOf(lane), idsOf(lane)];
    const space = aSpace({ tenantId: tenantOf(lane), spaceId, ownerId: SECRET, ...internal });
    await putSpace(space);
    await putSpace({ ...space, spaceId: `${spaceId}-private`, visibility: 'private' });
    await putFile(file);
    await putFile({ ...file, fileId: `broken-${fileId}`, language: 7 });
  };
  const lanes = Array.from({ length: count }, (_, lane) => lane);
  await Promise.all([...tenants.map((tenant) => putKey(tenant)), ...lanes.map(putLane)]);
  await putKey('umbrella', { revokedAt: 1 });
  return {
    ...tables,
    lanes,
    getFile: (lane: number) => getFile(idsOf(lane).spaceId, idsOf(lane).fileId),
  };
};

type Message = { readonly id: string; readonly value: unknown };
type Resources = { readonly heap: number; readonly resources: readonly string[] };
export type Sent = ApiResponse & { readonly lane: number };

/**
 * The function in a process of its own, as Lambda runs it: by default the file that is deployed, without flags of V8.
 *
 * @param names environment variables: the names of the tables
 */
export const startFunction = async (
  { names }: { readonly names: Readonly<Record<string, string>> },
  endpoint = inject('endpoint'),
  { file = deployed, flags = [] as readonly string[] } = {},
) => {
  const child = fork(new URL('lambda-process.ts', import.meta.url), [file], {
    env: { ...settingsFor(endpoint), ...names },
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
    child.send({ id, ...message });
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
    send: async (lane: number, overrides?: Overrides, remainingMs = 10_000): Promise<Sent> => {
      const response = await invoke(laneEvent(lane, overrides), remainingMs);
      const result = { ...expectContract(response), lane };
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

/** What a text holds that a lane must not see: secrets, and names of other lanes and tenants. */
export const foreignIn = (text: string, lane: number): readonly string[] => [
  ...secrets.filter((secret) => text.includes(secret)),
  ...tenants.filter((name) => name !== tenantOf(lane) && text.includes(name)),
  ...[...text.matchAll(/lane-(\d+)/g)].filter(([, other]) => Number(other) !== lane).map(([found]) => found),
];

/** Responses and log hold nothing foreign. The log has one line for each response, stderr has none. */
export const expectNoLeak = async (instance: LambdaFunction): Promise<void> => {
  const [lines, sent] = [await instance.lines(), instance.sent()];
  const lineOf = new Map(lines.map((line) => [JSON.parse(line).requestId, line]));
  expect([instance.stderr(), lines.length, lineOf.size]).toEqual(['', sent.length, sent.length]);
  for (const { lane, statusCode, headers, body } of sent) {
    const ownSummary = new RegExp(`"summary":"${SECRET} (new|old), lane-${lane}"`);
    const rest = statusCode === 200 ? body.replace(ownSummary, '') : body;
    const line = lineOf.get(headers['x-request-id']) ?? expect.unreachable();
    const text = `${JSON.stringify(headers)} ${rest} ${line}`;
    expect([text, foreignIn(text, lane)]).toEqual([text, []]);
  }
};
