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
  /** The client reads it too, but its error about a missing one looks like a bug. */
  AWS_REGION: setting,
});

/**
 * Reads the names of the tables from environment variables. The SDK reads its own: the endpoint, the Region and the credentials
 * (AWS_ENDPOINT_URL_DYNAMODB, AWS_REGION, AWS_USE_FIPS_ENDPOINT, ...).
 *
 * @throws {InternalError} naming every variable that is missing or empty
 */
export const readConfig = (env: Readonly<Record<string, string | undefined>>): Omit<Tables, 'client'> => {
  const { data, error } = ConfigSchema.safeParse(env);
  if (error) throw new InternalError(`not set: ${error.issues.map(({ path }) => path.join()).join(', ')}`);
  const { API_KEYS_TABLE: apiKeysTable, SPACES_TABLE: spacesTable, FILES_TABLE: filesTable } = data;
  return { apiKeysTable, spacesTable, filesTable };
};

// Reading `process.stdout` opens the stream. Do that now, not during a request.
const { stdout } = process;

/** The real clocks, timers, ids and log. */
export const liveSystem: System = {
  now: () => Date.now(),
  // Not performance.now(), whose module is loaded on first use.
  uptime: () => process.uptime() * 1000,
  startTimer: (ms, callback) => {
    // Node prints a warning for a negative time, which is what an operation has left after its deadline.
    const timer = setTimeout(callback, Math.max(0, ms));
    return () => clearTimeout(timer);
  },
  random: Math.random,
  newId: randomUUID,
  // Not the console: Lambda prefixes its lines.
  log: (line) => void stdout.write(`${line}\n`),
};

let tables: Tables | undefined;
/** The tables that the settings name, and the one client of an instance, with its one set of connections. */
export const liveTables = (): Tables => {
  tables ??= { ...readConfig(process.env), client: createDynamoDBClient() };
  return tables;
};
