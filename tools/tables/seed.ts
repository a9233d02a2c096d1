import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { enterUserFolder, readArguments, runCommand, UsageError } from '#tools/cli.ts';
import { generateKey } from './api-keys-table.ts';
import { loadData, readData, refusePublicKeys, removeData, warnOfMissingSpaces } from './data.ts';
import { isEmbedded, openDatabase } from './environment.ts';
import { checkTables, openClient } from './tables.ts';

const usage = `Usage: npm run seed -- <command> FILE [--yes]

  new     creates FILE, with records for the contract suite: new API keys in tenants and spaces of their own
  write   writes the API keys, spaces and files of FILE into the tables. Records that exist are not changed
  remove  removes the records of FILE that this command or \`npm start\` wrote. These have the attribute \`seeded\`

  --yes   do not ask before a change of tables that no \`npm start\` of this folder uses
  --help  show this text

FILE is JSON. The format is that of \`npm start -- --data\`, and of tools/tables/demo-data.json. If the function could
not serve a record, the file is rejected. A file whose space is missing is only a warning.
API_KEYS_TABLE, SPACES_TABLE and FILES_TABLE name the tables, in the DynamoDB of the usual AWS settings (credentials,
Region, AWS_ENDPOINT_URL_DYNAMODB). Without these variables, the tables are those of a running \`npm start\`.
`;

/** Creates a data file with the shape of the demo data. Only its owner can read it, because it has API keys. */
const createDataFile = (file: string): void => {
  const suffix = randomBytes(6).toString('hex');
  const text = readFileSync(join(import.meta.dirname, 'demo-data.json'), 'utf8')
    .replace(/(?<="key": ")demo-[\w-]+/g, generateKey)
    .replace(/(?<="(?:keyId|tenantId|spaceId)": ")[^"]+/g, (id) => `${id}-${suffix}`);
  writeFileSync(file, text, { flag: 'wx', mode: 0o600 });
};

const confirm = async (question: string): Promise<boolean> => {
  process.stdout.write(`${question} [y/N] `);
  for await (const line of createInterface({ input: process.stdin })) return /^y(es)?$/i.test(line.trim());
  return false;
};

await runCommand(usage, async () => {
  const { values, positionals } = readArguments({
    allowPositionals: true,
    options: { yes: { type: 'boolean' } },
  });
  const [command = '', file, ...more] = positionals;
  if (!['new', 'write', 'remove'].includes(command) || file === undefined || more.length > 0)
    throw new UsageError(usage);
  enterUserFolder('seed');
  if (command === 'new') {
    createDataFile(file);
    process.stdout.write('The file has new API keys: keep it secret.\n');
    return;
  }

  const data = readData(file);
  const tables = openDatabase();
  const { client, endpoint } = await openClient();
  refusePublicKeys(endpoint, data);
  await checkTables(client, tables);

  const { apiKeys, spaces, files } = data;
  process.stdout.write(`DynamoDB at ${endpoint}
  ${tables.API_KEYS_TABLE}: ${apiKeys.length} API keys
  ${tables.SPACES_TABLE}: ${spaces.length} spaces
  ${tables.FILES_TABLE}: ${files.length} files
`);
  const isRemoval = command === 'remove';
  if (!isRemoval) process.stderr.write(warnOfMissingSpaces(data));
  const question = isRemoval ? 'Remove these records?' : 'Write these records?';
  if (!values.yes && !isEmbedded(endpoint) && !(await confirm(question)))
    throw new UsageError(`Nothing was changed. Answer y, or run \`npm run seed -- ${command} FILE --yes\`.`);
  const done = await (isRemoval ? removeData : loadData)(client, tables, data);
  const rest = apiKeys.length + spaces.length + files.length - done;
  const result = isRemoval
    ? `${done} records are gone.${rest > 0 ? ` ${rest} stay, because neither this command nor npm start wrote them.` : ''}`
    : `${done} records written, ${rest} existed already.`;
  process.stdout.write(`${result}\n`);
});
