import { ConditionalCheckFailedException, DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
import { BatchGetCommand, DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { Command, Tables } from '#lib/store/tables.ts';
import demo from '#tools/tables/demo-data.json' with { type: 'json' };
import { parseCondition, parseUpdate } from './expressions.ts';
import { apiKeyRecord } from './fixtures.ts';
import { unknown } from './unknown.ts';

/** An item is replaced, never changed: an item that nothing has touched stays the same object. */
export type Item = Readonly<Record<string, unknown>>;
export type TableName = (typeof tableNames)[keyof typeof tableNames];
/** All records, by table and key: `files ["handbook","f"]`. */
export type Records = Readonly<Record<string, Item>>;
/** Tables, simulated or of an engine (tables.ts), and what a test does to them. */
export type TestTables = {
  /** Their names, as the store takes them. */
  readonly config: Omit<Tables, 'client'>;
  /** Gives what the SDK gives for a command, or throws what it throws. */
  readonly send: (command: Command) => Promise<object>;
  readonly get: (table: TableName, key: Item) => Item | undefined | Promise<Item | undefined>;
  readonly put: (table: TableName, item: Item) => unknown;
  readonly remove: (table: TableName, key: Item) => unknown;
  readonly records: () => Records | Promise<Records>;
};

export const tableNames = {
  apiKeysTable: 'apiKeys',
  spacesTable: 'spaces',
  filesTable: 'files',
} as const satisfies Omit<Tables, 'client'>;

const keyAttributes: Readonly<Record<TableName, readonly string[]>> = {
  apiKeys: ['keyHash'],
  spaces: ['tenantId', 'spaceId'],
  files: ['spaceId', 'fileId'],
};
/** The key of a record in its table. */
export const keyOf = (table: TableName, item: Item) =>
  Object.fromEntries(keyAttributes[table].map((name) => [name, item[name]]));
/** The name of a record: its table and the values of its key. */
export const idOf = (table: TableName, item: Item) =>
  `${table} ${JSON.stringify(Object.values(keyOf(table, item)))}`;

const isTableName = (name: string): name is TableName => name in keyAttributes;
const tableOf = (name = ''): TableName => {
  return isTableName(name) ? name : unknown(`the table "${name}"`);
};
/** Expects that a command has no other members. */
const expectOnly = (names: readonly string[], members: object): void => {
  for (const name of Object.keys(members)) if (!names.includes(name)) unknown(`${name} of a command`);
};

/** Parses each expression once: a search sends the same few thousands of times. */
const parseOnce = <Parsed>(parse: (expression: string) => Parsed) => {
  const parsed = new Map<string, Parsed>();
  return (expression: string): Parsed => {
    const known = parsed.get(expression) ?? parse(expression);
    parsed.set(expression, known);
    return known;
  };
};
const conditionOf = parseOnce(parseCondition);
const updateOf = parseOnce(parseUpdate);

const updateMembers = [
  'UpdateExpression',
  'ConditionExpression',
  'ExpressionAttributeNames',
  'ExpressionAttributeValues',
  'ReturnValues',
  'ReturnValuesOnConditionCheckFailure',
];
type Read = NonNullable<BatchGetCommand['input']['RequestItems']>[string];

/** DynamoDB counts the bytes of names and values. JSON has a little more. */
const exceeds400KB = (item: Item) => Buffer.byteLength(JSON.stringify(item)) > 400 * 1024;

/** tsc names each command that the store sends and a double does not know. */
export const isUnknown = (command: never, file?: string): never =>
  unknown(`a ${Object(command).constructor.name}`, file);

/**
 * DynamoDB for the two commands of the operation, in memory and synchronous.
 * test/engine/simulated-tables.test.ts compares it with the embedded engine.
 */
export const simulateTables = (isTooLarge = exceeds400KB) => {
  const items = new Map<string, Item>();

  const readOne = (name: string, read: Read) => {
    const { Keys = [], ProjectionExpression, ExpressionAttributeNames = {} } = read;
    expectOnly(['Keys', 'ConsistentRead', 'ProjectionExpression', 'ExpressionAttributeNames'], read);
    if (Keys.length !== 1) unknown(`a read of ${Keys.length} records of a table`);
    const table = tableOf(name);
    const found = items.get(idOf(table, Keys[0] ?? {}));
    if (!found) return [];
    const names = ProjectionExpression?.split(', ').map((alias) => ExpressionAttributeNames[alias] ?? alias);
    return [
      Object.fromEntries(Object.entries(found).filter(([attribute]) => names?.includes(attribute) ?? true)),
    ];
  };

  const update = ({ TableName, Key = {}, ...input }: UpdateCommand['input']) => {
    expectOnly(updateMembers, input);
    const table = tableOf(TableName);
    const old = items.get(idOf(table, Key));
    const { ExpressionAttributeNames: names = {}, ExpressionAttributeValues: values = {} } = input;
    const nameOf = (operand: string) => names[operand] ?? operand;
    /** The value of `#name`, `:name` or `name`, before the update. */
    const of = (operand: string): unknown =>
      operand.startsWith(':') ? values[operand] : old?.[nameOf(operand)];
    const { ConditionExpression: condition } = input;
    if (condition !== undefined && !conditionOf(condition)(of)) {
      const returned = old &&
        input.ReturnValuesOnConditionCheckFailure === 'ALL_OLD' && { Item: marshall(old) };
      throw new ConditionalCheckFailedException({ message: 'rejected', $metadata: {}, ...returned });
    }
    const { set, remove } = updateOf(input.UpdateExpression ?? '');
    const item: Record<string, unknown> = { ...Key, ...old };
    for (const [target, value] of set) item[nameOf(target)] = value(of);
    for (const target of remove) delete item[nameOf(target)];
    if (isTooLarge(item))
      throw new DynamoDBServiceException({
        name: 'ValidationException',
        message: 'Item size to update has exceeded the maximum allowed size',
        $fault: 'client',
        $metadata: {},
      });
    items.set(idOf(table, Key), item);
    return input.ReturnValues === 'ALL_NEW' ? { Attributes: item } : {};
  };

  /** Sends a command without any network. */
  const send = async (command: Command): Promise<object> => {
    if (command instanceof UpdateCommand) return update(command.input);
    if (!(command instanceof BatchGetCommand)) return isUnknown(command);
    expectOnly(['RequestItems'], command.input);
    const reads = Object.entries(command.input.RequestItems ?? {});
    return { Responses: Object.fromEntries(reads.map(([name, read]) => [name, readOne(name, read)])) };
  };

  return {
    config: tableNames,
    send,
    get: (table: TableName, key: Item): Item | undefined => items.get(idOf(table, key)),
    records: (): Records => Object.fromEntries(items),
    put: (table: TableName, item: Item): void => {
      const missing = keyAttributes[table].filter((name) => item[name] === undefined);
      if (missing.length > 0) throw new Error(`a record of ${table} lacks ${missing.join(' and ')}`);
      items.set(idOf(table, item), item);
    },
    remove: (table: TableName, key: Item): void => void items.delete(idOf(table, key)),
    /** One record of a BatchGetItem: an empty list when there is none. */
    readOne,
    /** Throws what the SDK throws. */
    update,
  };
};

/** Puts the demo data of `npm start`. */
export const seed = ({ put }: Pick<TestTables, 'put'>) =>
  Promise.all([
    ...demo.apiKeys.map((key) => put('apiKeys', apiKeyRecord(key))),
    ...demo.spaces.map((space) => put('spaces', space)),
    ...demo.files.map((file) => put('files', file)),
  ]);
/** Simulated tables with the demo data. */
export const demoTables = () => {
  const tables = simulateTables();
  void seed(tables);
  return tables;
};

/** A document client that hands each command to a function instead of sending it. */
export const toClient = (
  send: (command: Command, abortSignal?: AbortSignal) => Promise<unknown>,
): DynamoDBDocumentClient =>
  Object.assign(Object.create(DynamoDBDocumentClient.prototype), {
    send: async (command: Command, { abortSignal }: { abortSignal?: AbortSignal } = {}) =>
      send(command, abortSignal),
  });
