import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  DynamoDBServiceException,
} from '@aws-sdk/client-dynamodb';
import { BatchGetCommand, type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { Config } from '#lib/runtime/deps.ts';
import { toDocumentClient } from '#lib/runtime/deps.ts';
import { hashApiKey } from '#lib/store/keys.ts';
import { FILE_ID } from '#test/support/given.ts';
import { BIG_FILE_ID } from '#test/support/seed.ts';
import { apiKeys, files, spaces } from './fixtures.ts';

export const config: Config = { apiKeysTable: 'keys', spacesTable: 'spaces', filesTable: 'files' };

type Item = Readonly<Record<string, unknown>>;
const idOf = (...parts: readonly unknown[]) => JSON.stringify(parts);
const items = new Map<string, Item>([
  ...apiKeys.map(({ key, ...record }): [string, Item] => {
    const keyHash = hashApiKey(key);
    return [idOf('keys', keyHash), { keyHash, ...record }];
  }),
  ...spaces.map((space): [string, Item] => [idOf('spaces', space.tenantId, space.spaceId), space]),
  ...files.map((file): [string, Item] => [idOf('files', file.spaceId, file.fileId), file]),
]);

const read = ({ input }: BatchGetCommand) => ({
  Responses: Object.fromEntries(
    Object.entries(input.RequestItems ?? {}).map(([table, { Keys = [] }]) => [
      table,
      Keys.flatMap((key) => items.get(idOf(table, ...Object.values(key))) ?? []),
    ]),
  ),
});

/** Version 0 fits when the condition allows a file without a version; no other version ever does. */
const isRefused = (condition = '') =>
  condition.includes('attribute_not_exists(#fileId)') ||
  (condition.includes('#version IN') && !condition.includes('attribute_not_exists(#version) OR #version IN'));

const write = ({ input }: UpdateCommand, onApplied: () => void) => {
  const { Key = {}, ExpressionAttributeValues: values = {} } = input;
  const file = items.get(idOf('files', Key['spaceId'], Key['fileId']));
  if (!file || isRefused(input.ConditionExpression))
    throw new ConditionalCheckFailedException({
      message: 'The conditional request failed',
      $metadata: {},
      ...(file && { Item: marshall(file) }),
    });
  if (Key['fileId'] === BIG_FILE_ID)
    throw new DynamoDBServiceException({
      name: 'ValidationException',
      $fault: 'client',
      message: 'Item size to update has exceeded the maximum allowed size',
      $metadata: {},
    });
  onApplied();
  const [requestId, version] = [values[':requestId'], values[':version']];
  return { Attributes: { ...items.get(idOf('files', 'handbook', FILE_ID)), requestId, version } };
};

/**
 * A client over the fixtures in memory that knows the calls and conditions this operation makes, and keeps no write:
 * it counts those it was sent and those a table would have applied.
 */
export const createMemoryClient = () => {
  const counts = { reads: 0, writes: 0, applied: 0 };
  const send = async (command: unknown) => {
    if (command instanceof BatchGetCommand) {
      counts.reads += 1;
      return read(command);
    }
    if (!(command instanceof UpdateCommand)) throw new Error('a call this operation does not make');
    counts.writes += 1;
    return write(command, () => {
      counts.applied += 1;
    });
  };
  const real = toDocumentClient(new DynamoDBClient({ region: 'local-1' }));
  const client: DynamoDBDocumentClient = new Proxy(real, {
    get: (target, name) => (name === 'send' ? send : Reflect.get(target, name)),
  });
  return { client, counts };
};
