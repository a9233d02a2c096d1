import { fork } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, inject, vi } from 'vitest';
import * as z from 'zod';
import { toDocumentClient } from '#lib/runtime/deps.ts';
import { settingsFor } from '#test/support/endpoint.ts';
import { anEvent } from '#test/support/event.ts';
import { anApiKey, aSpace } from '#test/support/given.ts';
import { buildBundle } from '#tools/build/bundle.ts';
import { createTables } from '#tools/dev-server/tables.ts';
import { SECRET } from './faults.ts';

/** Multiplies the number of runs; 1 in the gate. */
export const scale = Number(process.env['RUNS_SCALE'] ?? 1);

export const folder = mkdtempSync(join(tmpdir(), 'space-files-'));
/** Runs after all tests of the file, last registered first. */
export const cleanups: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
beforeAll(async () => void (await buildBundle({ file: join(folder, 'update-file.cjs') })));
afterAll(async () => {
  for (const cleanUp of cleanups.toReversed()) await cleanUp();
});

/*
 * A lane is a space of a tenant with a file in it. Every text of its records that must not leave the function holds
 * SECRET, every other text names the lane or its tenant.
 */
export const tenantOf = (lane: number): string => ['acme', 'globex', 'initech'][lane % 3] ?? '';
const keyOf = (lane: number) => `sfk_${SECRET}_${tenantOf(lane)}`;
export const revokedKey = `sfk_${SECRET}_revoked`;
export const sha256 = (key: string): string => createHash('sha256').update(key).digest('hex');
export const secretHashes = [keyOf(0), keyOf(1), keyOf(2), revokedKey].map(sha256);
export const idsOf = (lane: number) => ({ spaceId: `lane-${lane}`, fileId: `file-of-lane-${lane}` });

/** A request for the file of a lane that succeeds, changed by the overrides. */
export const laneEvent = (lane: number, { headers, ...rest }: Parameters<typeof anEvent>[0] = {}) =>
  anEvent({
    ...idsOf(lane),
    body: JSON.stringify({ summary: `${SECRET} new, lane-${lane}` }),
    ...rest,
    headers: {
      ...{ 'x-api-key': keyOf(lane), 'x-tenant-id': tenantOf(lane) },
      ...{ 'x-user-id': `user-of-${tenantOf(lane)}`, authorization: SECRET, cookie: SECRET, ...headers },
    },
  });

const internal = { internal: { [SECRET]: [SECRET] } };
/** The file of a lane as it is stored at first. */
export const recordOf = (lane: number) => ({
  ...{ ...idsOf(lane), ...internal, version: 7, requestId: SECRET, updatedBy: SECRET },
  ...{ summary: `${SECRET} old, lane-${lane}`, language: 'en', domain: tenantOf(lane) },
  tags: [{ key: 'of', value: tenantOf(lane), aiExtracted: true, [SECRET]: SECRET }],
});

/** Creates tables with so many lanes in an engine. */
export const openLanes = async (lanes: number, endpoint = inject('endpoint')) => {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = toDocumentClient(new DynamoDBClient({ endpoint, region: 'local-1', credentials }));
  const tables = await createTables(client, `${randomUUID()}-`);
  const putAll = async (table: string, items: readonly object[]) => {
    for (let n = 0; n < items.length; n += 25) {
      const puts = items.slice(n, n + 25).map((item) => ({ PutRequest: { Item: { ...item, ...internal } } }));
      await client.send(new BatchWriteCommand({ RequestItems: { [table]: puts } }));
    }
  };
  const numbers = Array.from({ length: lanes }, (_, lane) => lane);
  const record = ({ key, ...rest }: ReturnType<typeof anApiKey>) => ({ ...rest, keyHash: sha256(key) });
  const keys = [0, 1, 2].map((lane) => {
    return anApiKey({ key: keyOf(lane), keyId: `key-of-${tenantOf(lane)}`, tenantId: tenantOf(lane) });
  });
  const revoked = anApiKey({ key: revokedKey, tenantId: 'umbrella', revokedAt: 1 });
  await putAll(tables.API_KEYS_TABLE, [...keys, revoked].map(record));
  const spaces = numbers.map((lane) => aSpace({ tenantId: tenantOf(lane), ...idsOf(lane), ownerId: SECRET }));
  const isClosed = { visibility: 'private' };
  const closed = spaces.map((space) => ({ ...space, spaceId: `${space.spaceId}-private`, ...isClosed }));
  await putAll(tables.SPACES_TABLE, [...spaces, ...closed]);
  const files = numbers.map(recordOf);
  const broken = files.map((file) => ({ ...file, fileId: `broken-${file.fileId}`, language: 7 }));
  await putAll(tables.FILES_TABLE, [...files, ...broken]);
  const getFile = async (lane: number) => {
    const read = { TableName: tables.FILES_TABLE, Key: idsOf(lane), ConsistentRead: true };
    return { ...(await client.send(new GetCommand(read))).Item };
  };
  return { tables, getFile };
};
export type Lanes = Awaited<ReturnType<typeof openLanes>>;

const ResponseSchema = z.object({
  statusCode: z.number(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
});
const MessageSchema = z.object({
  id: z.number(),
  response: z.optional(ResponseSchema),
  heap: z.optional(z.number()),
  resources: z.optional(z.array(z.string())),
});
type Message = z.infer<typeof MessageSchema>;
export type Response = z.infer<typeof ResponseSchema>;

/** The deployed function in a process of its own, as Lambda runs it. */
export const startFunction = async (
  { tables }: Lanes,
  endpoint = inject('endpoint'),
  execArgv: string[] = [],
) => {
  const child = fork(new URL('lambda-process.ts', import.meta.url), [join(folder, 'update-file.mjs')], {
    env: { ...settingsFor(endpoint), ...tables },
    execArgv,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      printed[name] += text;
    });
  const waiting = new Map<number, (message: Message) => void>();
  child.on('message', (message) => {
    const parsed = MessageSchema.parse(message);
    waiting.get(parsed.id)?.(parsed);
  });
  const ended = once(child, 'exit').then(() => {
    throw new Error(`the process has ended: ${printed.stderr}`);
  });
  ended.catch(() => undefined);
  let asked = 0;
  const ask = (message?: object): Promise<Message> => {
    const id = message ? ++asked : 0;
    if (message) child.send({ id, ...message });
    return Promise.race([new Promise<Message>((resolve) => waiting.set(id, resolve)), ended]);
  };
  const kill = async () => {
    child.kill('SIGKILL');
    await ended.catch(() => undefined);
  };
  cleanups.push(kill);
  await ask();
  return {
    child,
    kill,
    printed: (): Readonly<typeof printed> => printed,
    /** @throws when the function throws, or its process ends */
    send: async (event: unknown, remainingMs = 10_000): Promise<Response> =>
      ResponseSchema.parse((await ask({ event, remainingMs })).response),
    /** Bytes of the heap after a garbage collection, and what keeps the process alive. */
    inspect: () => ask({}),
    /** The lines of the log, once there are so many: the pipe may be later than the responses. */
    lines: (count: number): Promise<readonly string[]> =>
      vi.waitFor(() => {
        const lines = printed.stdout.split('\n').slice(0, -1);
        if (lines.length < count) throw new Error(`${lines.length} lines of ${count}`);
        return lines;
      }, 10_000),
  };
};
export type LambdaFunction = Awaited<ReturnType<typeof startFunction>>;
