import { ConditionalCheckFailedException, DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { Failure } from '#lib/domain/failure.ts';
import { unmarshallOptions } from './client.ts';
import type { StoreDeps } from './deps.ts';
import { GarbledReply } from './repeatable.ts';
import { type FileWrite, updateInput } from './update-input.ts';

/** What the table says to a conditional write: applied, or refused with the item as it stands (none: no such item). */
export type WriteReply =
  | { readonly applied: true; readonly item: unknown }
  | { readonly applied: false; readonly item: unknown };

/** Sends one conditional write, once. */
export type WriteFile = (write: FileWrite, abortSignal: AbortSignal) => Promise<WriteReply>;

/** DynamoDB has no error code of its own for an item above 400 KB, only the words of a ValidationException. */
const isItemTooLarge = (error: unknown) =>
  error instanceof DynamoDBServiceException &&
  error.name === 'ValidationException' &&
  /item size/i.test(error.message);

/**
 * The write as one UpdateItem.
 *
 * @throws {Failure} file-too-large, when the item would pass 400 KB
 * @throws {GarbledReply} when the table says "applied" without the item
 */
export const createWriteFile =
  ({ client, config }: Pick<StoreDeps, 'client' | 'config'>): WriteFile =>
  async (write, abortSignal) => {
    try {
      const command = new UpdateCommand(updateInput(config, write));
      const { Attributes: item } = await client.send(command, { abortSignal });
      if (!item) throw new GarbledReply('UpdateItem without Attributes');
      return { applied: true, item };
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException)
        return { applied: false, item: error.Item && unmarshall(error.Item, unmarshallOptions) };
      if (isItemTooLarge(error))
        throw new Failure('file-too-large', { reason: 'item would pass 400 KB', cause: error });
      throw error;
    }
  };
