import {
  type AttributeValue,
  CreateTableCommand,
  DynamoDBClient,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { expect, inject, test } from 'vitest';
import { ApiKeyRecordSchema, hashApiKey } from '#lib/domain/api-key.ts';
import { FileIdentitySchema, FileRecordSchema, toFileView } from '#lib/domain/file.ts';
import { SpaceRecordSchema } from '#lib/domain/space.ts';
import { anEvent } from '#test/support/event.ts';
import { API_KEY, FILE_ID, firstWrite, kinds, NOW } from '#test/support/fixtures.ts';
import { limitOf } from '#test/support/runs.ts';
import { service } from '#test/support/service.ts';
import { idOf } from '#test/support/simulated-tables.ts';
import { openTables } from '#test/support/tables.ts';

/*
 * What other programs store: the rows of docs/tables.md, and whole records as SDKs of other languages write them. All are
 * values of DynamoDB itself, because the SDK of JavaScript stores some of them in another form.
 */
type Item = Readonly<Record<string, AttributeValue>>;
/** Undefined: the attribute is absent. */
type Value = AttributeValue | undefined;

const tables = await openTables('stored-values');
const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
const engine = new DynamoDBClient({ endpoint: inject('endpoint'), region: 'us-east-1', credentials });
const put = (TableName: string, item: Readonly<Record<string, Value>>) => {
  const present = Object.entries(item).flatMap(([name, value]) => (value ? [[name, value] as const] : []));
  return engine.send(new PutItemCommand({ TableName, Item: Object.fromEntries(present) }));
};

const text = (S: string): AttributeValue => ({ S });
const number = (N: number): AttributeValue => ({ N: `${N}` });
const list = (...L: AttributeValue[]): AttributeValue => ({ L });
const NULL: AttributeValue = { NULL: true };

/** A value of each type: false, zero or empty, where the type has such a value. */
const ofEachType: Item = {
  NULL,
  BOOL: { BOOL: false },
  N: number(0),
  S: text(''),
  B: { B: new Uint8Array() },
  L: list(),
  M: { M: {} },
  SS: { SS: ['editor'] },
  NS: { NS: ['1'] },
  BS: { BS: [new Uint8Array([1])] },
};
const ofTypesBut = (...types: readonly string[]): readonly Value[] =>
  Object.entries(ofEachType).flatMap(([type, value]) => (types.includes(type) ? [] : [value]));
const absent = undefined;
const anything: readonly Value[] = [absent, ...ofTypesBut()];

const apiKey = {
  keyHash: text(hashApiKey(API_KEY)),
  keyId: text('key-editor'),
  tenantId: text('acme'),
  scope: text('PRODUCT'),
  roles: list(text('editor')),
};
const space = {
  tenantId: text('acme'),
  spaceId: text('handbook'),
  ownerId: text('ada'),
  visibility: text('private'),
};
const file = { spaceId: text('handbook'), fileId: text(FILE_ID), language: text('en'), domain: text('hr') };
const aTag = { key: text('quarter'), value: text('Q4'), aiExtracted: { BOOL: true } };
const tagsWith = (member: keyof typeof aTag, value: AttributeValue) =>
  list({ M: aTag }, { M: { ...aTag, [member]: value } });
/** By its name in the rows: a record, and its table. */
const records = {
  key: [tables.names.API_KEYS_TABLE, apiKey],
  space: [tables.names.SPACES_TABLE, space],
  publicSpace: [tables.names.SPACES_TABLE, { ...space, ownerId: text('grace'), visibility: text('public') }],
  file: [tables.names.FILES_TABLE, file],
  detailedFile: [
    tables.names.FILES_TABLE,
    { ...file, originalName: text('plan.md'), chunksCount: number(1), charactersCount: number(2) },
  ],
} as const;

const putUsual = async () => {
  await put(...records.key);
  await put(...records.space);
  await put(...records.file);
};

const fileName = idOf('files', { spaceId: 'handbook', fileId: FILE_ID });
/** Ada sends an update of a file in her private space. */
const update = async (
  headers: Readonly<Record<string, string>>,
  patch: object,
  filesTable = tables.names.FILES_TABLE,
) => {
  const { send } = service({ tables: { ...tables, config: { ...tables.config, filesTable } } });
  const event = anEvent({ headers: { 'x-user-id': 'ada', ...headers }, body: JSON.stringify(patch) });
  const { response, line, records } = await send(event);
  return { response, reason: line['reason'], stored: records[fileName] };
};

/** What the update gets: the status, the reason in the log, and whether it is stored. */
type Outcome = readonly [status: number, reason: string | undefined, isStored: boolean];
const updated: Outcome = [200, undefined, true];
const rejected = (status: number, reason: string): Outcome => [status, reason, false];
const keyDamaged = (problem: string) => rejected(500, `API key record does not fit: ${problem}`);
const fileDamaged = (problem: string): Outcome => [500, `file record does not fit: ${problem}`, true];
const fileBlocked = (problem: string) => rejected(500, `file record does not fit: ${problem}`);
const revoked = rejected(401, 'key is revoked');
const expired = rejected(401, 'key is expired');
const noPermission = rejected(403, 'no role of the key grants files:update');
const notOwner = rejected(403, 'space is private and the caller is not its owner');
const incomplete = (name: string) => fileDamaged(`${name} missing from the detailed shape`);

/** An attribute of a record, and the outcome for each value that it can have. */
type Row = readonly [
  record: keyof typeof records,
  attribute: string,
  outcome: Outcome,
  values: readonly Value[],
];
const rows: readonly Row[] = [
  ['key', 'keyId', keyDamaged('keyId: invalid_type'), [absent, ...ofTypesBut('S')]],
  ['key', 'tenantId', keyDamaged('tenantId: invalid_type'), [absent, ...ofTypesBut('S')]],
  ['key', 'tenantId', rejected(403, 'key belongs to another tenant'), ['', 'ACME', 'acme '].map(text)],
  ['key', 'scope', keyDamaged('scope: invalid_type'), [absent, ...ofTypesBut('S')]],
  ['key', 'scope', rejected(403, 'scope of the key is not PRODUCT'), ['', 'product', 'INTERNAL'].map(text)],
  ['key', 'roles', keyDamaged('roles: invalid_type'), [absent, ...ofTypesBut('L')]],
  ['key', 'roles', keyDamaged('roles.0: invalid_type'), ofTypesBut('S').map((value) => value && list(value))],
  ['key', 'roles', noPermission, [list(), list(text('viewer')), list(text('Editor'), text(''))]],
  ['key', 'expiresAt', updated, [absent, number(NOW / 1000 + 1), number(253_402_300_799)]],
  ['key', 'expiresAt', expired, [-1, 0, NOW / 1000].map(number)],
  ['key', 'expiresAt', keyDamaged('expiresAt: too_big'), [253_402_300_800, NOW + 1, 1e30].map(number)],
  ['key', 'expiresAt', keyDamaged('expiresAt: invalid_type'), [...ofTypesBut('N'), text('4102444800')]],
  ['key', 'revokedAt', updated, [absent]],
  ['key', 'revokedAt', revoked, [...ofTypesBut(), text('no'), number(NOW / 1000 + 9), { BOOL: true }]],
  ['key', 'createdAt', updated, anything],
  ['key', 'name', updated, anything],
  ['space', 'ownerId', notOwner, [...anything, text('Ada'), list(text('ada'))]],
  ['publicSpace', 'ownerId', updated, anything],
  ['publicSpace', 'visibility', notOwner, [...anything, text('Public'), text('private')]],
  ['detailedFile', 'originalName', incomplete('originalName'), [absent, NULL]],
  ['detailedFile', 'originalName', fileDamaged('originalName: invalid_type'), ofTypesBut('S', 'NULL')],
  ['detailedFile', 'chunksCount', incomplete('chunksCount'), [absent, NULL]],
  [
    'detailedFile',
    'chunksCount',
    fileDamaged('chunksCount: invalid_type'),
    [...ofTypesBut('N', 'NULL'), number(1.5)],
  ],
  ['detailedFile', 'chunksCount', fileDamaged('chunksCount: too_big'), [number(2 ** 53)]],
  ['detailedFile', 'charactersCount', incomplete('charactersCount'), [absent, NULL]],
  ['detailedFile', 'charactersCount', fileDamaged('charactersCount: invalid_type'), ofTypesBut('N', 'NULL')],
  ['file', 'summary', updated, [absent, NULL, text(''), text('x'.repeat(10_001))]],
  ['file', 'summary', fileDamaged('summary: invalid_type'), ofTypesBut('S', 'NULL')],
  ['file', 'documentKind', updated, [absent, NULL, text(''), text('x'.repeat(257))]],
  ['file', 'documentKind', fileDamaged('documentKind: invalid_type'), ofTypesBut('S', 'NULL')],
  ['file', 'language', fileDamaged('language: invalid_type'), [absent, ...ofTypesBut('S')]],
  ['file', 'domain', fileDamaged('domain: invalid_type'), [absent, ...ofTypesBut('S')]],
  ['file', 'tags', updated, [absent, NULL, list(), list({ M: { ...aTag, score: number(1) } })]],
  ['file', 'tags', fileDamaged('tags: invalid_type'), ofTypesBut('L', 'NULL')],
  [
    'file',
    'tags',
    fileDamaged('tags.0: invalid_type'),
    ['NULL', 'S', 'N', 'L'].map((type) => list(ofEachType[type] ?? NULL)),
  ],
  ['file', 'tags', fileDamaged('tags.1.key: invalid_type'), [tagsWith('key', NULL)]],
  ['file', 'tags', fileDamaged('tags.1.value: invalid_type'), [tagsWith('value', NULL)]],
  [
    'file',
    'tags',
    fileDamaged('tags.1.aiExtracted: invalid_type'),
    [NULL, number(0), number(1)].map((value) => tagsWith('aiExtracted', value)),
  ],
  ['file', 'version', updated, [absent, number(-1), number(0.5), number(NOW * 1000), number(2 ** 53 - 2)]],
  ['file', 'version', fileBlocked('version: invalid_type'), [...ofTypesBut('N'), { N: `${NOW * 1000}.5` }]],
  ['file', 'version', fileBlocked('version: too_big'), [number(2 ** 53 - 1), number(1e30)]],
  ['file', 'updatedBy', updated, anything],
  ...['w1', 'w8'].map((name): Row => ['file', name, updated, anything]),
];

test.each([
  ['API key', ApiKeyRecordSchema.shape, ['key'], ['keyHash']],
  ['space', SpaceRecordSchema.shape, ['space', 'publicSpace'], ['tenantId', 'spaceId']],
  [
    'file',
    { ...FileRecordSchema.shape, ...FileIdentitySchema.shape },
    ['file', 'detailedFile'],
    ['spaceId', 'fileId'],
  ],
])('each attribute of a record of %s has rows, but for its key', (_, shape, names, key) => {
  const varied = rows.flatMap(([name, attribute]) => (names.includes(name) ? [attribute] : []));
  const others = Object.keys(shape).filter((attribute) => !varied.includes(attribute));
  expect(others.toSorted(), 'test/engine/stored-values.test.ts: add rows').toEqual(key.toSorted());
});

test.each(rows)('%s, %s: %j', { timeout: limitOf(120_000) }, async (name, attribute, outcome, values) => {
  const [field, sent] = attribute === 'summary' ? ['documentKind', kinds[0]] : ['summary', 'New.'];
  const [table, record] = records[name];
  const outcomes: unknown[] = [];
  for (const value of values) {
    await putUsual();
    await put(table, { ...record, [attribute]: value });
    const { response, reason, stored } = await update({}, { [field]: sent });
    outcomes.push([value, response.statusCode, reason, stored?.[field] === sent]);
  }
  expect(outcomes).toEqual(values.map((value) => [value, ...outcome]));
});

const created = 1_789_000_000_000_000;
const nothing = { summary: null, documentKind: null, tags: [] };
/** A record as a program writes it, and the file without its id that a response shows before the update. */
const written: readonly [by: string, record: Item, view: object][] = [
  [
    'Go, by attributevalue.MarshalMap of a struct: nil pointers and a nil slice',
    {
      ...file,
      originalName: NULL,
      summary: NULL,
      documentKind: NULL,
      chunksCount: NULL,
      charactersCount: NULL,
      tags: NULL,
      version: number(created),
      updatedBy: NULL,
    },
    { language: 'en', domain: 'hr', ...nothing },
  ],
  [
    'Go, with a tag',
    {
      ...file,
      originalName: text('plan.md'),
      summary: NULL,
      documentKind: text(''),
      chunksCount: number(3),
      charactersCount: number(4100),
      tags: list({ M: { key: text('quarter'), value: text('Q4'), aiExtracted: { BOOL: false } } }),
      version: number(created),
    },
    {
      originalName: 'plan.md',
      language: 'en',
      domain: 'hr',
      documentKind: '',
      chunksCount: 3,
      charactersCount: 4100,
      tags: [{ key: 'quarter', value: 'Q4', aiExtracted: false }],
    },
  ],
  [
    'Python, by Table.put_item of boto3: None',
    {
      ...file,
      originalName: text('plan.md'),
      summary: NULL,
      documentKind: NULL,
      chunksCount: number(3),
      charactersCount: number(4100),
      tags: NULL,
      version: number(created),
      thumbnail: NULL,
    },
    {
      originalName: 'plan.md',
      language: 'en',
      domain: 'hr',
      chunksCount: 3,
      charactersCount: 4100,
      documentKind: null,
      tags: [],
    },
  ],
  [
    'Java, by EnhancedDocument.putNull',
    {
      ...file,
      originalName: NULL,
      documentKind: NULL,
      chunksCount: NULL,
      charactersCount: NULL,
      tags: list(),
      version: number(created),
    },
    { language: 'en', domain: 'hr', ...nothing },
  ],
];

test.each(written)('a file that a program has created is updated: %s', async (_, record, view) => {
  await putUsual();
  await put(tables.names.FILES_TABLE, record);
  const { response, stored } = await update({}, { summary: 'New.' });
  // A field that no record here has shows what it shows of such a file.
  const others = toFileView({ fileId: FILE_ID, language: 'en', domain: 'hr' });
  expect([response.statusCode, JSON.parse(response.body)]).toEqual([
    200,
    { ...others, ...view, summary: 'New.' },
  ]);
  // What the patch does not name stays as it was, also a NULL.
  const after = { ...unmarshall(record), summary: 'New.', updatedBy: 'ada', ...firstWrite() };
  expect(stored).toEqual(after);
});

test('no key has a `keyHash` in upper case', async () => {
  await putUsual();
  const keyHash = text(hashApiKey('printed-by-net').toUpperCase());
  await put(tables.names.API_KEYS_TABLE, { ...apiKey, keyHash });
  const { response, reason } = await update({ 'x-api-key': 'printed-by-net' }, { summary: 'New.' });
  expect([response.statusCode, reason]).toEqual([401, 'key is unknown']);
});

test.each([
  ['Zoë', 'Zo%C3%AB'],
  ['Ada Lovelace', 'Ada%20Lovelace'],
  ['CN=Ada,OU=Eng', 'CN%3DAda%2COU%3DEng'],
])('no request can name the owner or the tenant %s, but each can name it as %s', async (id, encoded) => {
  const statuses: unknown[] = [];
  for (const one of [id, encoded]) {
    await put(tables.names.API_KEYS_TABLE, { ...apiKey, tenantId: text(one) });
    await put(tables.names.SPACES_TABLE, { ...space, tenantId: text(one), ownerId: text(one) });
    await put(...records.file);
    const { response, stored } = await update({ 'x-tenant-id': one, 'x-user-id': one }, { summary: 'New.' });
    statuses.push([response.statusCode, stored?.['summary'], stored?.['updatedBy']]);
  }
  expect(statuses).toEqual([
    [400, undefined, undefined],
    [200, 'New.', encoded],
  ]);
});

// Of an index on a field that a request can set, and of the cure: one on an attribute of its own.
test.each([
  ['summary', 500, undefined],
  ['w8', 500, undefined],
  ['summaryForSearch', 200, ''],
])('with an index on %s, an empty summary gets %d', async (indexed, status, summary) => {
  const TableName = `${tables.names.FILES_TABLE}-${indexed}`;
  const keys = ['spaceId', 'fileId', indexed];
  await engine.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: keys.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      KeySchema: [
        { AttributeName: 'spaceId', KeyType: 'HASH' },
        { AttributeName: 'fileId', KeyType: 'RANGE' },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'by-summary',
          KeySchema: [{ AttributeName: indexed, KeyType: 'HASH' }],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
    }),
  );
  await putUsual();
  await put(TableName, file);
  const { response } = await update({}, { summary: '' }, TableName);
  const Key = unmarshall({ spaceId: file.spaceId, fileId: file.fileId });
  const { Item } = await tables.client.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
  expect([response.statusCode, Item?.['summary']]).toEqual([status, summary]);
});
