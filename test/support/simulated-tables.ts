import { ConditionalCheckFailedException, DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
import { BatchGetCommand, DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { Command } from '#lib/store/tables.ts';
import { unknown } from './unknown.ts';

/** An item is replaced, never changed: an item that nothing has touched stays the same object. */
export type Item = Readonly<Record<string, unknown>>;
export type TableName = 'apiKeys' | 'spaces' | 'files';

export const tableNames = { apiKeysTable: 'apiKeys', spacesTable: 'spaces', filesTable: 'files' } as const;

const keyAttributes: Readonly<Record<TableName, readonly string[]>> = {
  apiKeys: ['keyHash'],
  spaces: ['tenantId', 'spaceId'],
  files: ['spaceId', 'fileId'],
};
const idOf = (table: TableName, key: Item) => JSON.stringify(keyAttributes[table].map((name) => key[name]));

const isTableName = (name: string): name is TableName => name in keyAttributes;
const tableOf = (name = ''): TableName => {
  return isTableName(name) ? name : unknown(`the table "${name}"`);
};
/** Expects that a command has no other members. */
const expectOnly = (names: readonly string[], members: object): void => {
  for (const name of Object.keys(members)) if (!names.includes(name)) unknown(`${name} of a command`);
};

/** Attribute names behind # and values behind : of an expression. */
type Aliases = { readonly names: Readonly<Record<string, string>>; readonly values: Item };
/** The value of `#name`, `:name` or `name`. */
const resolve = (token: string, item: Item, { names, values }: Aliases): unknown =>
  token.startsWith(':') ? values[token] : item[names[token] ?? token];

const functions = {
  attribute_exists: (value: unknown) => value !== undefined,
  attribute_not_exists: (value: unknown) => value === undefined,
  begins_with: (text = '', prefix: unknown) => `${text}`.startsWith(`${prefix}`),
  isOneOf: (value: unknown, ...list: readonly unknown[]) => list.includes(value),
};
const operators: Readonly<Record<string, string>> = { AND: '&&', OR: '||', NOT: '!' };
const conditionTokens = [...Object.keys(functions), ...Object.keys(operators), 'IN', '<', '(', ')', ','];
/**
 * The part of DynamoDB's condition syntax that the operation uses, as JavaScript: `NOT (#a < :b OR #c IN (:d))` is
 * `!(of("#a") < of(":b") || isOneOf(of("#c"), of(":d")))`.
 */
const compileCondition = (expression: string) => {
  for (const [token] of expression.matchAll(/[#:]?\w+|[(),]|[^\s\w(),]+/g))
    if (!conditionTokens.includes(token) && !/^(?:[#:]\w+|w\d+)$/.test(token))
      unknown(`"${token}" in the condition "${expression}"`);
  const script = expression
    .replaceAll(/(\S+) IN \(/g, 'isOneOf($1, ')
    .replaceAll(/\b(AND|OR|NOT)\b/g, (word) => operators[word] ?? '')
    .replaceAll(/[#:]\w+|\bw\d+\b/g, 'of("$&")');
  return new Function('of', ...Object.keys(functions), `return ${script}`);
};
const conditions = new Map<string, ReturnType<typeof compileCondition>>();
const isMet = (expression: string, item: Item, aliases: Aliases): boolean => {
  const condition = conditions.get(expression) ?? compileCondition(expression);
  conditions.set(expression, condition);
  const of = (token: string) => resolve(token, item, aliases);
  return condition(of, ...Object.values(functions));
};

const listOf = (one: string) => `${one}(?:, ${one})*`;
const assignments = listOf(String.raw`#?\w+ = (?:if_not_exists\(\w+, :\w+\)|:\w+)`);
const KNOWN_UPDATE = new RegExp(`^SET ${assignments}(?: REMOVE ${listOf(String.raw`#\w+`)})?$`);
/** An item after `SET #a = :a, b = if_not_exists(c, :c), ... REMOVE #d, ...`. */
const applyExpression = (expression: string, item: Item, aliases: Aliases): Item => {
  if (!KNOWN_UPDATE.test(expression)) unknown(`the update "${expression}"`);
  const [set = '', remove = ''] = expression.split(' REMOVE ');
  const result: Record<string, unknown> = { ...item };
  const value = (token: string) => resolve(token, item, aliases);
  for (const [, name = '', source, fallback = ''] of set.matchAll(
    /(#?\w+) = (?:if_not_exists\((\w+), )?(:\w+)/g,
  ))
    result[aliases.names[name] ?? name] = (source && value(source)) ?? value(fallback);
  for (const [name] of remove.matchAll(/#\w+/g)) delete result[aliases.names[name] ?? name];
  return result;
};

const updateMembers = [
  'UpdateExpression',
  'ConditionExpression',
  'ExpressionAttributeNames',
  'ExpressionAttributeValues',
  'ReturnValues',
  'ReturnValuesOnConditionCheckFailure',
];
type Read = NonNullable<BatchGetCommand['input']['RequestItems']>[string];

/**
 * DynamoDB for the two commands of the operation, in memory and synchronous.
 * test/engine/simulated-tables.test.ts compares it with the embedded engine.
 *
 * @param isTooLarge whether an item would exceed DynamoDB's 400 KB
 */
export const createTables = ({ isTooLarge }: { isTooLarge?: (item: Item) => boolean } = {}) => {
  const items: Readonly<Record<TableName, Map<string, Item>>> = {
    apiKeys: new Map(),
    spaces: new Map(),
    files: new Map(),
  };

  const readOne = (name: string, read: Read) => {
    const { Keys = [], ProjectionExpression, ExpressionAttributeNames = {} } = read;
    expectOnly(['Keys', 'ConsistentRead', 'ProjectionExpression', 'ExpressionAttributeNames'], read);
    if (Keys.length !== 1) unknown(`a read of ${Keys.length} records of a table`);
    const table = tableOf(name);
    const found = items[table].get(idOf(table, Keys[0] ?? {}));
    if (!found) return [];
    const names = ProjectionExpression?.split(', ').map((alias) => ExpressionAttributeNames[alias] ?? alias);
    return [
      Object.fromEntries(Object.entries(found).filter(([attribute]) => names?.includes(attribute) ?? true)),
    ];
  };

  const update = ({ TableName, Key = {}, ...input }: UpdateCommand['input']) => {
    expectOnly(updateMembers, input);
    const table = tableOf(TableName);
    const old = items[table].get(idOf(table, Key));
    const aliases = {
      names: input.ExpressionAttributeNames ?? {},
      values: input.ExpressionAttributeValues ?? {},
    };
    const { ConditionExpression: condition } = input;
    if (condition !== undefined && !isMet(condition, old ?? {}, aliases)) {
      const returned = old &&
        input.ReturnValuesOnConditionCheckFailure === 'ALL_OLD' && { Item: marshall(old) };
      throw new ConditionalCheckFailedException({ message: 'rejected', $metadata: {}, ...returned });
    }
    const item = applyExpression(input.UpdateExpression ?? '', { ...Key, ...old }, aliases);
    if (isTooLarge?.(item))
      throw new DynamoDBServiceException({
        name: 'ValidationException',
        message: 'Item size to update has exceeded the maximum allowed size',
        $fault: 'client',
        $metadata: {},
      });
    items[table].set(idOf(table, Key), item);
    return input.ReturnValues === 'ALL_NEW' ? { Attributes: item } : {};
  };

  return {
    get: (table: TableName, key: Item): Item | undefined => items[table].get(idOf(table, key)),
    all: (table: TableName): readonly Item[] => [...items[table].values()],
    put: (table: TableName, item: Item): void => {
      const missing = keyAttributes[table].filter((name) => item[name] === undefined);
      if (missing.length > 0) throw new Error(`a record of ${table} lacks ${missing.join(' and ')}`);
      items[table].set(idOf(table, item), item);
    },
    remove: (table: TableName, key: Item): void => void items[table].delete(idOf(table, key)),
    /** One record of a BatchGetItem: an empty list when there is none. */
    readOne,
    /** Throws what the SDK throws. */
    update,
  };
};
export type SimulatedTables = ReturnType<typeof createTables>;

/** tsc names each command that the store sends and a double does not know. */
export const isUnknown = (command: never, file?: string): never =>
  unknown(`a ${Object(command).constructor.name}`, file);

/** A document client that hands each command to a function instead of sending it. */
export const toClient = (
  send: (command: Command, abortSignal?: AbortSignal) => Promise<unknown>,
): DynamoDBDocumentClient =>
  Object.assign(Object.create(DynamoDBDocumentClient.prototype), {
    send: async (command: Command, { abortSignal }: { abortSignal?: AbortSignal } = {}) =>
      send(command, abortSignal),
  });

/** Sends each command to the tables, without any network. */
export const sendTo =
  (tables: SimulatedTables) =>
  async (command: Command): Promise<object> => {
    if (command instanceof UpdateCommand) return tables.update(command.input);
    if (!(command instanceof BatchGetCommand)) return isUnknown(command);
    expectOnly(['RequestItems'], command.input);
    const reads = Object.entries(command.input.RequestItems ?? {});
    return { Responses: Object.fromEntries(reads.map(([name, read]) => [name, tables.readOne(name, read)])) };
  };

/** The tables as a client that always succeeds. */
export const directClient = (tables: SimulatedTables): DynamoDBDocumentClient => toClient(sendTo(tables));
