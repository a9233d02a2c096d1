import { NumberValue } from '@aws-sdk/lib-dynamodb';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { hashApiKey } from '#lib/domain/api-key.ts';
import { seed } from '#test/support/simulated-tables.ts';
import { type EngineTables, openTables } from '#test/support/tables.ts';
import { UsageError } from '#tools/cli.ts';
import { perform, readCommand } from '#tools/tables/api-key.ts';
import { type ApiKeys, generateKey, openApiKeys, type StoredKey } from '#tools/tables/api-keys-table.ts';

let tables: EngineTables;
let apiKeys: ApiKeys;
beforeAll(async () => {
  tables = await openTables('api-key');
  await seed(tables);
  tables.client.middlewareStack.add(
    (next, { commandName = '' }) =>
      (args) => {
        // The engine ends a page at 1 MB.
        return next(commandName === 'ScanCommand' ? { ...args, input: { ...args.input, Limit: 1 } } : args);
      },
    { step: 'initialize' },
  );
  apiKeys = openApiKeys(tables.client, tables.config.apiKeysTable);
});
const put = (item: Record<string, unknown>) => tables.put('apiKeys', item);
/** Runs a command line. Returns what it shows. */
const apiKey = async (line: string): Promise<string> => {
  let shown = '';
  await perform(apiKeys, readCommand(line.split(' ')).command, async (text) => {
    shown += text;
  });
  return shown;
};

const keyIn = (shown: string) => /^sfk_\w{43}$/m.exec(shown)?.[0] ?? '';
const idIn = (shown: string) => /^key_\w{12}/m.exec(shown)?.[0] ?? '';

const head = 'KEY ID\tTENANT\tNAME\tROLES\tSCOPE\tCREATED\tEXPIRES\tSTATE\n';

test('a new API key is `sfk_` and 43 random letters and digits', () => {
  const key = generateKey();
  expect(key).toMatch(/^sfk_[0-9A-Za-z]{43}$/);
  expect(generateKey()).not.toBe(key);
});

const name = 'Demo editor of another tenant';
const ofGlobex = `${head}key-globex\tglobex\t${name}\teditor\tPRODUCT\t2026-01-01T00:00:00Z\tnever\tactive\n`;
const record = { keyId: 'key-globex', tenantId: 'globex', scope: 'PRODUCT', roles: ['editor'] };
const asJson = JSON.stringify([{ ...record, name, createdAt: 1_767_225_600, state: 'active' }], null, 2);

test('`list` shows the keys of all tenants or of one', async () => {
  expect(await apiKey('list')).toMatch(/\nkey-admin\tacme.*\nkey-globex\tglobex/s);
  expect(await apiKey('list --tenant globex')).toBe(ofGlobex);
  expect(await apiKey('list --tenant globex --json')).toBe(`${asJson}\n`);
});

test('`revoke` ends every key with the id, and `list` reads every page of the table', async () => {
  for (const keyHash of ['twin-1', 'twin-2', 'twin-3'].map(hashApiKey))
    await put({ ...record, keyHash, keyId: 'twin', tenantId: 'twins' });
  const states = async () =>
    (await apiKeys.list()).flatMap(({ keyId, state }) => (keyId === 'twin' ? [state] : []));
  expect(await states()).toEqual(['active', 'active', 'active']);
  expect((await apiKey('revoke twin')).match(/^twin.*revoked$/gm)).toHaveLength(3);
  expect(await states()).toEqual(['revoked', 'revoked', 'revoked']);
});

test('`revoke` keeps the time of an earlier revocation', async () => {
  const ids = { keyHash: hashApiKey('earlier'), keyId: 'earlier', tenantId: 'earlier' };
  const earlier = { ...record, ...ids, revokedAt: 1 };
  await put(earlier);
  expect(await apiKey('revoke earlier')).toContain('\trevoked\n');
  expect(await apiKeys.get(earlier.keyHash)).toStrictEqual({ ...earlier, state: 'revoked' });
});

const noSuchId =
  'There is no API key with this id. `list` shows all ids, and `identify` the id of a key that you have.';

test('`list` and `revoke` take any record that another program has stored', async () => {
  const usable = { tenantId: 'acme', scope: 'PRODUCT', roles: ['editor'] };
  const uses = NumberValue.from('12345678901234567890.5');
  await put({ keyHash: hashApiKey('odd'), keyId: 'odd', ...usable, name: null, uses });
  const noId = hashApiKey('no id');
  await put({ keyHash: noId, createdAt: 1e15 });
  await put({ keyHash: hashApiKey('ms'), keyId: 'ms', ...usable, expiresAt: 1_893_456_000_000 });
  const listed = await apiKey('list');
  expect(listed).toContain('\nodd\tacme\t-\teditor\tPRODUCT\t-\tnever\tactive\n');
  expect(listed).toContain(`\n${noId}\t-\t-\t\t-\t1000000000000000\tnever\tunreadable\n`);
  expect(listed).toContain('\nms\tacme\t-\teditor\tPRODUCT\t-\t+061971-03-27T00:00:00Z\tunreadable\n');
  expect(await apiKey('revoke odd')).toMatch(/^odd\t.*\trevoked$/m);
  expect(await apiKey(`revoke ${noId}`)).toMatch(/^[\da-f]{64}\t.*\trevoked$/m);
  await expect(apiKey('revoke key_x')).rejects.toThrow(noSuchId);
});

// printf abc | sha256sum
const hashOfAbc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
test.each([
  ['upper', hashOfAbc.toUpperCase()],
  ['short', hashOfAbc.slice(1)],
  ['long', `${hashOfAbc}0`],
  ['plain', 'abc'],
])('a key whose hash has the form "%s" is unusable, and `revoke` ends it', async (tenantId, keyHash) => {
  await put({ ...record, keyHash, keyId: keyHash, tenantId, expiresAt: 1 });
  const row = (state: string) =>
    `${head}${keyHash}\t${tenantId}\t-\teditor\tPRODUCT\t-\t1970-01-01T00:00:01Z\t${state}\n`;
  expect(await apiKey(`list --tenant ${tenantId}`)).toBe(row('unusable'));
  expect(await apiKey(`revoke ${keyHash}`)).toBe(row('revoked'));
});

test('`list` forges no row and shows all that is invisible, and `revoke` takes an id as it is shown', async () => {
  const forged = 'x\nkey-admin\tacme';
  // ESC and its 8-bit form, DEL, a right-to-left override, a line separator, a backslash; letters and emoji stay.
  const name = '\u001b[2J\u009b\u007f\u202e\u2028\\ Zoë 🔑';
  const shared = { ...record, keyId: forged, tenantId: 'forger' };
  await put({ ...shared, keyHash: hashApiKey(forged), name });
  const shownName = '\\u001b[2J\\u009b\\u007f\\u202e\\u2028\\\\ Zoë 🔑';
  const row = (state: string) =>
    `x\\nkey-admin\\tacme\tforger\t${shownName}\teditor\tPRODUCT\t-\tnever\t${state}\n`;
  expect(await apiKey('list --tenant forger')).toBe(head + row('active'));
  const json = await apiKey('list --tenant forger --json');
  expect(json).not.toMatch(/[^\P{C}\n]/u);
  expect(JSON.parse(json)).toStrictEqual([{ ...shared, name, state: 'active' }]);
  expect(await apiKey('revoke x\\nkey-admin\\tacme')).toBe(head + row('revoked'));
  await expect(apiKey(`revoke ${forged}`)).rejects.toThrow(noSuchId);
});

describe('`rotate`', () => {
  const now = 1_800_000_000;
  const week = 604_800;
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: now * 1000 }));

  /** Stores a key. */
  const putKey = async (keyId: string, attributes: Partial<StoredKey> = {}) => {
    const who = { keyId, tenantId: keyId, scope: 'INTERNAL', roles: ['viewer', 'editor'], name: 'CI bot' };
    const Item = { keyHash: hashApiKey(keyId), ...who, createdAt: 1_700_000_000, ...attributes };
    await put(Item);
    return { ...Item, state: 'active' };
  };

  test.each([
    ['sets an end to the old key', {}, now + week],
    ['sets no end later than before', { expiresAt: now + 60 }, now + 60],
    ['sets an end earlier than before', { expiresAt: now + 9 * week }, now + week],
  ])('%s, and gives the new one its attributes', async (keyId, before, after) => {
    const old = await putKey(keyId.replaceAll(' ', '-'), before);
    const keyHash = hashApiKey(keyIn(await apiKey(`rotate ${old.keyId}`)));
    const { expiresAt: _, ...kept } = old;
    const newId = expect.stringMatching(/^key_\w{12}$/);
    expect(await apiKeys.get(keyHash)).toStrictEqual({ ...kept, keyHash, keyId: newId, createdAt: now });
    expect(await apiKeys.get(old.keyHash)).toStrictEqual({ ...old, expiresAt: after });
  });

  test('shows the new key once, as `create` does, and when the old one ends', async () => {
    const saveIt = 'Save this API key now: only its hash is stored, so it cannot be shown again.';
    const row = (keyId: string, expires: string) =>
      `${head}${keyId}\tshown\tCI\teditor\tPRODUCT\t2027-01-15T08:00:00Z\t${expires}\tactive\n`;
    const created = await apiKey('create --tenant shown --role editor --name CI --expires 2999-01-01');
    const old = idIn(created);
    expect(created).toBe(`${keyIn(created)}\n\n${saveIt}\n\n${row(old, '2999-01-01T00:00:00Z')}`);
    const rotated = await apiKey(`rotate ${old} --keep 1 --expires 2998-01-01`);
    const newKey = `${keyIn(rotated)}\n\n${saveIt}\n\n${row(idIn(rotated), '2998-01-01T00:00:00Z')}`;
    expect(rotated).toBe(`${newKey}\nThe old key:\n${row(old, '2027-01-16T08:00:00Z')}`);
  });

  test.each<[string, Partial<StoredKey>[], string]>([
    ['revoked', [{ revokedAt: now - 1 }], 'This API key is revoked. Use create to make a new key.'],
    ['expired', [{ expiresAt: now }], 'This API key is expired. Use create to make a new key.'],
    ['missing', [], noSuchId],
    ['twice', [{}, { keyHash: hashApiKey('another') }], 'Several API keys have this id.'],
  ])('changes nothing if the id is of a key that is %s', async (keyId, stored, message) => {
    for (const attributes of stored) await putKey(keyId, attributes);
    const before = await apiKeys.list();
    await expect(apiKey(`rotate ${keyId}`)).rejects.toThrow(new UsageError(message));
    expect(await apiKeys.list()).toStrictEqual(before);
  });

  test.each([
    ['create --tenant acme --role editor', undefined],
    ['rotate key_i', 'key_i'],
  ])('`%s` names a new key that could not be shown, and the old one stays as it is', async (line, oldId) => {
    const old = oldId && (await putKey(oldId));
    const unseen = () => Promise.reject(new UsageError('The output could not be written: EPIPE.'));
    await expect(perform(apiKeys, readCommand(line.split(' ')).command, unseen)).rejects.toThrow(
      /^The output could not be written: EPIPE\. Revoke the new key key_\w{12}: nobody has it\.$/,
    );
    if (old) expect(await apiKeys.get(old.keyHash)).toStrictEqual(old);
  });
});

const npmNeeds = 'npm needs -- before all options.';
const create = 'create --tenant acme --role editor';
const options = `The options are --table, --tenant, --role, --name, --expires, --keep, --json, --help. ${npmNeeds}`;
test.each([
  ['create --role editor', '--tenant is missing.'],
  ['create --tenant acme', '--role is missing.'],
  ['create --tenant acme --role boss', '--role must be one of admin, editor, viewer.'],
  [
    'create --role boss --tenant a,b --role king',
    `--tenant must be 1 to 128 characters of printable ASCII, without spaces and commas.
--role must be one of admin, editor, viewer.`,
  ],
  [
    'list --tenant a,b',
    '--tenant must be 1 to 128 characters of printable ASCII, without spaces and commas.',
  ],
  [`${create} --name=a\nb`, '--name must be 1 to 128 characters, without control characters.'],
  [`${create} --expires 2020-01-01`, '--expires must be in the future.'],
  [`${create} --expires 9999-12-31T23:59:59-01:00`, '--expires must be before the year 10000.'],
  [`${create} --expires soon`, '--expires must be like 2030-01-31 or 2030-01-31T12:00:00Z.'],
  [`${create} --keep 1`, `This command does not take --keep. ${npmNeeds}`],
  ['revoke', 'KEYID is missing.'],
  ['rotate', 'KEYID is missing.'],
  ['revoke key_a key_b', `There are more arguments than the command has. ${npmNeeds}`],
  // What npm leaves of `npm run api-key list --tenant acme`.
  ['list acme', `This command does not take KEYID. ${npmNeeds}`],
  ['rotate key_a --keep long', '--keep must be a number of days from 0 to 999.'],
  ['rotate key_a --name=x', `This command does not take --name. ${npmNeeds}`],
  ['identify sfk_secret', `This command does not take KEYID. ${npmNeeds}`],
  ['create --tenant', `Option '--tenant <value>' argument missing. ${options}`],
  ['list --json=yes', `Option '--json' does not take an argument. ${options}`],
  ['list --tenat acme', `An option or an argument is unknown. ${options}`],
  ['list -t acme', `An option or an argument is unknown. ${options}`],
])('`npm run api-key -- %s` says: %s', (line, problem) => {
  expect(() => readCommand(line.split(' '))).toThrow(new UsageError(problem));
});
