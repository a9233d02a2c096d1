import { createInterface } from 'node:readline';
import * as z from 'zod';
import { hashApiKey, MAX_EPOCH_SECONDS, roles } from '#lib/domain/api-key.ts';
import { escapeInvisible } from '#lib/http/log-line.ts';
import { toDocumentClient } from '#lib/runtime/dynamodb-client.ts';
import { checkOptions, npmAdvice, readArguments, reasonOf, runCommand, UsageError } from '#tools/cli.ts';
import { applyEnvironment, openDatabase } from '#tools/tables/environment.ts';
import { openClient } from '#tools/tables/tables.ts';
import { type ApiKeys, nowInSeconds, openApiKeys, type StoredKey } from './api-keys-table.ts';
import { CallerId } from './data.ts';

/** How many days an old key works beside the new one, if nobody says. */
export const DAYS_KEPT = 7;

const usage = `Usage: npm run api-key -- <command> [--table NAME]

  create --tenant T --role R [--role R ...] [--name N] [--expires DATE]
                    creates a key and prints it once; R is one of ${roles.join(', ')};
                    DATE is like 2030-01-31 (00:00 UTC) or 2030-01-31T12:00:00Z
  rotate KEYID [--keep DAYS] [--expires DATE]
                    creates a key with the same tenant, roles, scope and name and prints it once; then the old key
                    expires after DAYS (${DAYS_KEPT} if not given, 0 is now), and never later than before. The new key
                    expires only with --expires. If interrupted, run it again, then revoke the unused key
  list [--tenant T] [--json]
                    lists the keys of a tenant, or all, without the keys themselves
  identify          prints the line of \`list\` for a key that it reads from stdin or asks for
  revoke KEYID      makes a key invalid, from the next request on, and prints its line of \`list\`

With --table or API_KEYS_TABLE, the command uses that table and the usual AWS settings (credentials, Region,
AWS_ENDPOINT_URL_DYNAMODB). Otherwise it uses the engine of a running \`npm start\`. It prints table and endpoint to
stderr. The KEYID of a record without an id is its \`keyHash\`. Texts are shown as in JSON: pass a KEYID as it is shown.
`;

const secondsPerDay = 86_400;

const FutureDate = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })], 'must be like 2030-01-31 or 2030-01-31T12:00:00Z')
  .transform((date) => Math.floor(Date.parse(date) / 1000))
  .refine((seconds) => seconds > nowInSeconds(), 'must be in the future')
  .refine((seconds) => seconds <= MAX_EPOCH_SECONDS, 'must be before the year 10000');
const Name = z.string().regex(/^\P{Cc}{1,128}$/u, 'must be 1 to 128 characters, without control characters');
const Days = z.string().regex(/^\d{1,3}$/, 'must be a number of days from 0 to 999');
const keyId = z.string();

/** The arguments of each command. All others are rejected. */
const CommandSchema = z.discriminatedUnion('command', [
  z.strictObject({
    command: z.literal('create'),
    tenant: CallerId,
    role: z.array(z.enum(roles)),
    name: Name.optional(),
    expires: FutureDate.optional(),
  }),
  z.strictObject({
    command: z.literal('rotate'),
    keyId,
    keep: Days.default(`${DAYS_KEPT}`),
    expires: FutureDate.optional(),
  }),
  z.strictObject({ command: z.literal('list'), tenant: CallerId.optional(), json: z.boolean().optional() }),
  z.strictObject({ command: z.literal('identify') }),
  z.strictObject({ command: z.literal('revoke'), keyId }),
]);

const commands = CommandSchema.options.map(({ shape }) => shape.command.value);

/** Reads the command line. Throws a UsageError. */
export const readCommand = (args: string[]) => {
  const { values, positionals } = readArguments({
    args,
    allowPositionals: true,
    options: {
      table: { type: 'string' },
      tenant: { type: 'string' },
      role: { type: 'string', multiple: true },
      name: { type: 'string' },
      expires: { type: 'string' },
      keep: { type: 'string' },
      json: { type: 'boolean' },
    },
  });
  const { table, ...given } = values;
  const [command, keyId, ...more] = positionals;
  if (!commands.some((known) => known === command)) throw new UsageError(usage);
  if (more.length > 0) throw new UsageError(`There are more arguments than the command has. ${npmAdvice}`);
  const target = keyId !== undefined && { keyId };
  return {
    table,
    command: checkOptions(CommandSchema, { command, ...target, ...given }, { keyId: 'KEYID' }),
  };
};
type Command = ReturnType<typeof readCommand>['command'];

/** The table that the user names, or else that of a running `npm start`. */
const openTable = async (named: string | undefined): Promise<ApiKeys> => {
  if (named) applyEnvironment({ API_KEYS_TABLE: named });
  const { API_KEYS_TABLE } = openDatabase();
  const { client, endpoint } = await openClient();
  // A key may have been typed in place of a name.
  const table = named ? 'The table of --table' : `Table ${API_KEYS_TABLE}`;
  process.stderr.write(`${table} in DynamoDB at ${endpoint}\n`);
  return openApiKeys(toDocumentClient(client), API_KEYS_TABLE);
};

/** A number that is no date is shown as it is. */
const toTime = (seconds: number): string => {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? `${seconds}` : date.toISOString().replace('.000Z', 'Z');
};

/** A terminal obeys what is invisible, and another program may have stored it. No two texts are shown as the same. */
const toCell = (text: string): string => escapeInvisible(JSON.stringify(text)).slice(1, -1);

/** A line for each key below a line of names, separated by tabs. */
const toTable = (keys: readonly StoredKey[]): string => {
  const rows = keys.map((key) => [
    key.keyId,
    key.tenantId,
    key.name ?? '-',
    key.roles.join(),
    key.scope,
    key.createdAt === undefined ? '-' : toTime(key.createdAt),
    key.expiresAt === undefined ? 'never' : toTime(key.expiresAt),
    key.state,
  ]);
  const table = [['KEY ID', 'TENANT', 'NAME', 'ROLES', 'SCOPE', 'CREATED', 'EXPIRES', 'STATE'], ...rows];
  return table.map((cells) => `${cells.map(toCell).join('\t')}\n`).join('');
};

const toJson = (keys: readonly StoredKey[]): string => {
  const shown = keys.map(({ keyHash, ...key }) => key);
  const lines = JSON.stringify(shown, null, 2).split('\n');
  return lines.map((line) => `${escapeInvisible(line)}\n`).join('');
};

const newKeyText = ({ plainKey, stored }: { plainKey: string; stored: StoredKey }): string =>
  `${plainKey}

Save this API key now: only its hash is stored, so it cannot be shown again.

${toTable([stored])}`;

/** The keys with an id, as it is shown: one, unless another program has written the table. */
const findById = async (apiKeys: ApiKeys, keyId: string): Promise<StoredKey[]> => {
  const found = (await apiKeys.list()).filter((key) => toCell(key.keyId) === keyId);
  if (found.length > 0) return found;
  throw new UsageError(
    'There is no API key with this id. `list` shows all ids, and `identify` the id of a key that you have.',
  );
};

/** Shows a text to the user. Rejects if nobody can have seen it. */
type Show = (text: string) => Promise<void>;

/** Creates a key and shows it. Throws a UsageError that names a key that nobody has. */
const createKey = async (
  apiKeys: ApiKeys,
  attributes: Parameters<ApiKeys['create']>[0],
  show: Show,
): Promise<void> => {
  const created = await apiKeys.create(attributes);
  await show(newKeyText(created)).catch((cause: unknown) => {
    const advice = `Revoke the new key ${created.stored.keyId}: nobody has it.`;
    throw new UsageError(`${reasonOf(cause)} ${advice}`, { cause });
  });
};

/**
 * Creates the successor of a key and shows it. Only then the old key gets its end: if anything fails before, the
 * holder still has a valid key. A second run creates one more key.
 */
const rotateKey = async (
  apiKeys: ApiKeys,
  { keyId, keep, expires: expiresAt }: Extract<Command, { command: 'rotate' }>,
  show: Show,
): Promise<void> => {
  const [old, ...more] = await findById(apiKeys, keyId);
  if (old === undefined || more.length > 0) throw new UsageError('Several API keys have this id.');
  const { keyHash, tenantId, roles, scope, name, state } = old;
  if (state !== 'active') throw new UsageError(`This API key is ${state}. Use create to make a new key.`);
  await createKey(apiKeys, { tenantId, roles, scope, name, expiresAt }, show);
  await apiKeys.expire(keyHash, nowInSeconds() + Number(keep) * secondsPerDay);
  const left = await apiKeys.get(keyHash);
  await show(`\nThe old key:\n${toTable(left ? [left] : [])}`);
};

/** Reads a key from stdin. A terminal does not show it. */
const readSecret = async (): Promise<string> => {
  const { isTTY } = process.stdin;
  if (isTTY) process.stderr.write('API key (not shown): ');
  for await (const line of createInterface({ input: process.stdin, terminal: isTTY })) {
    if (isTTY) process.stderr.write('\n');
    return line.trim();
  }
  return '';
};

/** Runs one command and shows its result. Throws a UsageError if there is no such key. */
export const perform = async (apiKeys: ApiKeys, command: Command, show: Show): Promise<void> => {
  switch (command.command) {
    case 'create': {
      const { tenant: tenantId, role, name, expires: expiresAt } = command;
      const attributes = { tenantId, roles: [...new Set(role)], scope: 'PRODUCT', name, expiresAt };
      return createKey(apiKeys, attributes, show);
    }
    case 'rotate':
      return rotateKey(apiKeys, command, show);
    case 'list': {
      const all = await apiKeys.list();
      const keys = all.filter(({ tenantId }) => command.tenant === undefined || command.tenant === tenantId);
      return show(command.json ? toJson(keys) : toTable(keys));
    }
    case 'identify': {
      const key = await apiKeys.get(hashApiKey(await readSecret()));
      if (key) return show(toTable([key]));
      throw new UsageError('The table has no such API key. It may be incomplete, or expired and removed.');
    }
    case 'revoke': {
      const found = await findById(apiKeys, command.keyId);
      const revoked = await Promise.all(found.map(({ keyHash }) => apiKeys.revoke(keyHash)));
      return show(toTable(revoked.flatMap((key) => key ?? [])));
    }
    // A command without its case would end well, and do nothing.
    default:
      return command satisfies never;
  }
};

const print: Show = (text) =>
  new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => {
      if (error) reject(new UsageError(`The output could not be written: ${reasonOf(error)}.`));
      else resolve();
    });
  });

if (import.meta.main) {
  // The reader of a pipe may end early, for example `| head`: then `print` rejects.
  process.stdout.on('error', () => undefined);
  await runCommand(usage, async () => {
    const { command, table } = readCommand(process.argv.slice(2));
    const isRead = command.command === 'list' || command.command === 'identify';
    try {
      await perform(await openTable(table), command, print);
    } catch (error) {
      if (error instanceof UsageError) throw error;
      // For example no Region, or a lost response.
      const advice = isRead ? '' : ' `list` shows what the command has done.';
      throw new UsageError(`The table could not be used: ${reasonOf(error)}.${advice}`);
    }
  });
}
