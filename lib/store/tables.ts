import type {
  BatchGetCommand,
  BatchGetCommandOutput,
  UpdateCommand,
  UpdateCommandOutput,
} from '@aws-sdk/lib-dynamodb';

type SendOptions = { readonly abortSignal: AbortSignal };

/** The commands that the store sends: each is in both types. */
export type Command = BatchGetCommand | UpdateCommand;
/** A DynamoDBDocumentClient is one. */
export type TablesClient = {
  send(command: BatchGetCommand, options: SendOptions): Promise<BatchGetCommandOutput>;
  send(command: UpdateCommand, options: SendOptions): Promise<UpdateCommandOutput>;
};

/** What the store needs to call DynamoDB: a client, and the names of the three tables. */
export type Tables = {
  readonly client: TablesClient;
  readonly apiKeysTable: string;
  readonly spacesTable: string;
  readonly filesTable: string;
};

/** A number beyond a double's precision, in an attribute that we never read, must not make an item unreadable. */
export const unmarshallOptions = { wrapNumbers: Number };
