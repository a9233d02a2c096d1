import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { roles } from '#lib/domain/role.ts';
import { reasonOf } from '../complaint.ts';
import { type NewKey, readExpiry, readName, readRoles, readTenant, refuse } from './values.ts';

export const apiKeyUsage = `Usage: npm run api-key -- <command> [--table NAME]

  create --tenant T --role R [--role R ...] [--name N] [--expires DATE]
                    makes a key and shows it, this once; R is one of ${roles.join(', ')};
                    DATE is like 2030-01-31 (from 00:00 UTC) or 2030-01-31T12:00:00Z
  list --tenant T   lists the keys of a tenant, without the keys themselves
  revoke KEYID      makes a key invalid, from the next request on

With --table, or with API_KEYS_TABLE in the environment, it works on that table by the ordinary AWS settings
(credentials, Region, AWS_ENDPOINT_URL_DYNAMODB); otherwise on the engine of a running \`npm start\`.
`;

/** What the user asked for; \`table\` only where they named one. */
export type ApiKeyCommand =
  | { name: 'help' }
  | { name: 'create'; table: string | undefined; key: NewKey }
  | { name: 'list'; table: string | undefined; tenantId: string }
  | { name: 'revoke'; table: string | undefined; keyId: string };

const text = { type: 'string' } as const;
const common = { table: text, help: { type: 'boolean' } } as const;

/** Reads the command line. Throws a Complaint for whatever is missing, unknown or out of place. */
export const readApiKeyCommand = ([name, ...args]: string[], now: Date): ApiKeyCommand => {
  if (name === '--help' || args.includes('--help')) return { name: 'help' };
  if (name === 'create') return readCreate(args, now);
  if (name === 'list') {
    const { values } = parse(args, { ...common, tenant: text });
    return { name, table: values.table, tenantId: readTenant(values.tenant) };
  }
  if (name === 'revoke') {
    const { values, positionals } = parse(args, common, true);
    const [keyId, ...more] = positionals;
    if (!keyId || more.length > 0) return refuse('revoke needs the id of one key');
    return { name, table: values.table, keyId };
  }
  return refuse(name === undefined ? 'A command is missing' : 'The commands are create, list and revoke');
};

const readCreate = (args: string[], now: Date): ApiKeyCommand => {
  const role = { type: 'string', multiple: true } as const;
  const { values } = parse(args, { ...common, tenant: text, role, name: text, expires: text });
  const key = {
    tenantId: readTenant(values.tenant),
    roles: readRoles(values.role),
    ...(values.name !== undefined && { name: readName(values.name) }),
    ...(values.expires !== undefined && { expiresAt: readExpiry(values.expires, now) }),
  };
  return { name: 'create', table: values.table, key };
};

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
