import type {
  BatchGetCommand,
  BatchGetCommandOutput,
  UpdateCommand,
  UpdateCommandOutput,
} from '@aws-sdk/lib-dynamodb';

type SendOptions = { readonly abortSignal: AbortSignal };

/** The commands that the store sends, each with what it returns. */
type Call = readonly [BatchGetCommand, BatchGetCommandOutput] | readonly [UpdateCommand, UpdateCommandOutput];
export type Command = Call[0];

type Send<One> = One extends readonly [infer Sent, infer Output]
  ? (send: (command: Sent, options: SendOptions) => Promise<Output>) => void
  : never;
/** It sends each of these. A DynamoDBDocumentClient is one. */
export type TablesClient = {
  readonly send: Send<Call> extends (send: infer Each) => void ? Each : never;
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
