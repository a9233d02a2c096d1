import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { reasonOf } from '../complaint.ts';
import { type NewKey, readDate, readName, readOldKeysEnd, readRoles, readTenant, refuse } from './values.ts';

type Action =
  | { name: 'create'; key: NewKey }
  /** Epoch seconds: when the old key expires, and the new one if it does. */
  | { name: 'rotate'; keyId: string; oldExpiresAt: number; expiresAt: number | undefined }
  | { name: 'list'; tenantId: string | undefined; json: boolean }
  | { name: 'show' | 'revoke'; keyId: string }
  | { name: 'identify' };

/** What the user asked for; `table` only where they named one. */
export type ApiKeyCommand = { name: 'help' } | (Action & { table: string | undefined });

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const common = { table: text, help: flag } as const;

/** Reads the command line. Throws a Complaint for whatever is missing, unknown or out of place. */
export const readApiKeyCommand = ([name, ...args]: string[], now: Date): ApiKeyCommand => {
  if (name === '--help' || args.includes('--help')) return { name: 'help' };
  if (name === 'create') return readCreate(args, now);
  if (name === 'rotate') return readRotate(args, now);
  if (name === 'list') return readList(args);
  if (name === 'show' || name === 'revoke') {
    const { values, positionals } = parse(args, common, true);
    return { name, table: values.table, keyId: readKeyId(name, positionals) };
  }
  if (name === 'identify') return readIdentify(args);
  if (name === undefined) return refuse('A command is missing');
  return refuse('The commands are create, rotate, list, show, identify and revoke');
};

const readCreate = (args: string[], now: Date): ApiKeyCommand => {
  const role = { type: 'string', multiple: true } as const;
  const { values } = parse(args, { ...common, tenant: text, role, name: text, expires: text });
  const key = {
    tenantId: readTenant(values.tenant),
    roles: readRoles(values.role),
    ...(values.name !== undefined && { name: readName(values.name) }),
    ...(values.expires !== undefined && { expiresAt: readDate('--expires', values.expires, now) }),
  };
  return { name: 'create', table: values.table, key };
};

const readRotate = (args: string[], now: Date): ApiKeyCommand => {
  const options = { ...common, keep: text, until: text, expires: text };
  const { values, positionals } = parse(args, options, true);
  return {
    name: 'rotate',
    table: values.table,
    keyId: readKeyId('rotate', positionals),
    oldExpiresAt: readOldKeysEnd(values, now),
    expiresAt: values.expires === undefined ? undefined : readDate('--expires', values.expires, now),
  };
};

const readList = (args: string[]): ApiKeyCommand => {
  const { table, tenant, json = false } = parse(args, { ...common, tenant: text, json: flag }).values;
  return { name: 'list', table, tenantId: tenant === undefined ? undefined : readTenant(tenant), json };
};

const readIdentify = (args: string[]): ApiKeyCommand => {
  const { values, positionals } = parse(args, common, true);
  // What stands there may be the key: it is not repeated.
  if (positionals.length > 0) return refuse('identify takes the key from stdin, not from the command line');
  return { name: 'identify', table: values.table };
};

const readKeyId = (name: string, [keyId, ...more]: string[]): string =>
  !keyId || more.length > 0 ? refuse(`${name} needs the id of one key`) : keyId;

const parse = <Options extends ParseArgsOptionsConfig>(
  args: string[],
  options: Options,
  allowPositionals = false,
) => {
  try {
    return parseArgs({ args, options, allowPositionals });
  } catch (error) {
    const [sentence = ''] = reasonOf(error).split('. ');
    return refuse(sentence);
  }
};
