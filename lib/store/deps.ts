import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Config } from '#lib/config.ts';

/** What the store needs from outside. */
export type StoreDeps = {
  readonly client: DynamoDBDocumentClient;
  readonly config: Config;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** From 0 up to 1; spreads retries. */
  readonly random: () => number;
};
