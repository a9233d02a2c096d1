import { createHash } from 'node:crypto';
import { type BatchGetCommand, type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { updateFile } from '#handlers/update-file.ts';
import type { Environment } from '#lib/context.ts';
import { createHandler } from '#lib/http/create-handler.ts';
import type { ApiResponse } from '#lib/http/responses.ts';
import { createStore } from '#lib/runtime/deps.ts';
import { type Item, toClient } from '#test/simulation/tables.ts';

/** The time of every request: 2026-09-21T14:13:20Z. */
export const NOW = 1_790_000_000_000;

/** The name under which the API keys table holds a key. */
export const sha256 = (key: string): string => createHash('sha256').update(key).digest('hex');

export type Format = '1.0' | '2.0';

/** What a request holds. A header that is undefined is not sent; path ids are as the format carries them. */
export type RequestParts = {
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly spaceId?: string;
  readonly fileId?: string;
  readonly body?: string | null;
  readonly isBase64Encoded?: boolean;
};

const goodHeaders = {
  'content-type': 'application/json',
  'x-api-key': 'editor-key',
  'x-tenant-id': 'acme',
  'x-user-id': 'grace',
};

/** An API Gateway event. Without parts, it asks for a change that the records below allow. */
export const toEvent = (parts: RequestParts = {}, format: Format = '2.0'): Record<string, unknown> => {
  const { headers, spaceId = 'handbook', fileId = 'f1', body = '{"summary":"New."}' } = parts;
  const sent = Object.entries({ ...goodHeaders, ...headers }).filter(([, value]) => value !== undefined);
  const shared = {
    headers: Object.fromEntries(sent),
    pathParameters: { spaceId, fileId },
    body,
    isBase64Encoded: parts.isBase64Encoded ?? false,
  };
  if (format === '2.0')
    return { version: '2.0', requestContext: { http: { method: 'PATCH' }, requestId: 'gateway' }, ...shared };
  const multiValueHeaders = Object.fromEntries(sent.map(([name, value]) => [name, [value]]));
  return { httpMethod: 'PATCH', requestContext: { requestId: 'gateway' }, multiValueHeaders, ...shared };
};

/** Records that let a request without parts through. */
export const apiKeyRecord = (overrides: Item = {}, key = 'editor-key'): Item => ({
  ...{ keyHash: sha256(key), keyId: 'key-1', tenantId: 'acme', scope: 'PRODUCT', roles: ['editor'] },
  ...overrides,
});
export const spaceRecord = (overrides: Item = {}): Item => ({
  ...{ tenantId: 'acme', spaceId: 'handbook', ownerId: 'ada', visibility: 'public' },
  ...overrides,
});
export const fileRecord = (overrides: Item = {}): Item => ({
  ...{ spaceId: 'handbook', fileId: 'f1', summary: 'Old.', language: 'en', domain: 'hr', tags: [] },
  ...overrides,
});

type TableNames = {
  readonly apiKeysTable: string;
  readonly spacesTable: string;
  readonly filesTable: string;
};

/** A call as text: what it does, with which table and which key. */
const describeCall = (command: BatchGetCommand | UpdateCommand, names: TableNames): string => {
  const tables = new Map([
    [names.apiKeysTable, 'apiKeys'],
    [names.spacesTable, 'spaces'],
    [names.filesTable, 'files'],
  ]);
  const item = (table = '', key: object = {}) => `${tables.get(table)}${JSON.stringify(Object.values(key))}`;
  if (command instanceof UpdateCommand) return `update ${item(command.input.TableName, command.input.Key)}`;
  const reads = Object.entries(command.input.RequestItems ?? {}).flatMap(
    ([table, { Keys, ConsistentRead }]) =>
      (Keys ?? []).map((key) => `${item(table, key)}${ConsistentRead ? '' : ' not consistent'}`),
  );
  return `read ${reads.join(' ')}`;
};

/** What one request came to. */
export type Outcome = {
  readonly response: ApiResponse;
  /** Its calls to DynamoDB, in order. */
  readonly calls: readonly string[];
  /** Its lines of the log. */
  readonly lines: readonly string[];
};

/** The real operation over a client. Its clock stands still, its timers never fire, its ids count up. */
export const startService = (client: DynamoDBDocumentClient, names: TableNames) => {
  let calls: string[] = [];
  let lines: string[] = [];
  let requests = 0;
  const recording = toClient((command, abortSignal) => {
    calls.push(describeCall(command, names));
    return Reflect.apply(client.send, client, [command, { abortSignal }]);
  });
  const environment: Environment = {
    now: () => NOW,
    uptime: () => 0,
    startTimer: () => () => undefined,
    random: () => 0,
    newId: () => `request-${++requests}`,
    log: (line) => void lines.push(line),
  };
  const store = createStore({ ...names, client: recording }, environment);
  const handler = createHandler(updateFile({ ...environment, store: () => store }), environment);
  type Invocation = Parameters<typeof handler>;

  /** @param event any value at all, as Lambda would pass it */
  return async (event: unknown): Promise<Outcome> => {
    [calls, lines] = [[], []];
    const response = await Reflect.apply(handler, undefined, [event, {} satisfies Partial<Invocation[1]>]);
    return { response, calls, lines };
  };
};
