import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { InternalError } from '#lib/domain/errors.ts';
import type { Tables } from '#lib/store/tables.ts';
import type { System } from '#lib/system.ts';
import { createDynamoDBClient } from './dynamodb-client.ts';

const setting = z.string().check(z.minLength(1));
const ConfigSchema = z.object({
  API_KEYS_TABLE: setting,
  SPACES_TABLE: setting,
  FILES_TABLE: setting,
  /** The client reads it itself, but its error about a missing one has no name to tell it from a bug. */
  AWS_REGION: setting,
});

/** The names of the three tables. */
export type Config = Omit<Tables, 'client'>;

/**
 * Reads the settings from environment variables. The SDK reads its own: the endpoint, the Region and the credentials
 * (AWS_ENDPOINT_URL_DYNAMODB, AWS_REGION, AWS_USE_FIPS_ENDPOINT, ...).
 *
 * @throws {InternalError} naming every variable that is missing or empty
 */
export const readConfig = (env: Readonly<Record<string, string | undefined>>): Config => {
  const { data, error } = ConfigSchema.safeParse(env);
  if (error) throw new InternalError(`not set: ${error.issues.map(({ path }) => path.join()).join(', ')}`);
  const { API_KEYS_TABLE: apiKeysTable, SPACES_TABLE: spacesTable, FILES_TABLE: filesTable } = data;
  return { apiKeysTable, spacesTable, filesTable };
};

/** What is impure, and the calls to the tables. */
export type Deps<Store> = System & {
  /** Opened on first use, so that a missing setting is answered and logged like any other error. */
  readonly store: () => Store;
};

const startTimer: System['startTimer'] = (ms, callback) => {
  // Node.js prints a warning for a negative time, which an operation that begins after its deadline has.
  const timer = setTimeout(callback, Math.max(0, ms));
  return () => clearTimeout(timer);
};

/**
 * The real clocks, timers, ids, log and tables. An instance has one client and one store, and so one set of connections
 * and one retry budget for all its requests.
 *
 * @param createStore makes the calls that an operation needs
 */
export const liveDeps = <Store>(
  createStore: (tables: Tables, system: System) => Store,
): Deps<Store> & { readonly tables: () => Tables } => {
  // A getter, which opens the stream when it is first read: now, and not in a request.
  const { stdout } = process;
  const system: System = {
    now: Date.now,
    // Not performance.now(), whose module is loaded on first use.
    uptime: () => process.uptime() * 1000,
    startTimer,
    random: Math.random,
    newId: randomUUID,
    // Not the console: Lambda prefixes its lines.
    log: (line) => void stdout.write(`${line}\n`),
  };
  let tables: Tables | undefined;
  const openTables = () => {
    tables ??= { ...readConfig(process.env), client: createDynamoDBClient() };
    return tables;
  };
  let store: Store | undefined;
  const openStore = () => {
    store ??= createStore(openTables(), system);
    return store;
  };
  return { ...system, tables: openTables, store: openStore };
};
