import { createHash } from 'node:crypto';
import { type BatchGetCommand, type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { updateFile } from '#handlers/update-file.ts';
import type { Environment } from '#lib/context.ts';
import { createHandler } from '#lib/http/create-handler.ts';
import type { ApiResponse } from '#lib/http/responses.ts';
import { createStore } from '#lib/runtime/deps.ts';
import { type Item, toClient } from '#test/simulation/tables.ts';
import { anApiKey, NOW } from '#test/support/given.ts';

const scale = Number(process.env['RUNS_SCALE'] ?? 1);
/** How often a property is tried: the same cases in each run of the gate, others and more with RUNS_SCALE=10. */
export const runs = (numRuns: number) =>
  scale === 1 ? { numRuns, seed: 20_261_121 } : { numRuns: numRuns * scale };

/** The name under which the API keys table holds a key. */
export const sha256 = (key: string): string => createHash('sha256').update(key).digest('hex');

/** A stored API key; `anApiKey` holds it as a client sends it. */
export const apiKeyRecord = (overrides: Item = {}): Item => {
  const { key, ...record } = anApiKey(overrides);
  return { keyHash: sha256(key), ...record };
};

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

  /** @param event any value at all, as Lambda would pass it */
  return async (event: unknown): Promise<Outcome> => {
    [calls, lines] = [[], []];
    const response = await Reflect.apply(handler, undefined, [event, {}]);
    return { response, calls, lines };
  };
};
