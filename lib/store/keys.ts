import { hash } from 'node:crypto';

/** Bytes of the longest sort key (AWS, "Quotas in Amazon DynamoDB"); a partition key may be longer. */
const MAX_KEY_BYTES = 1024;

/** Whether an item could exist under this id. If not, the id is unknown without asking. */
export const isStorable = (id: string): boolean =>
  id !== '' && id.isWellFormed() && Buffer.byteLength(id) <= MAX_KEY_BYTES;

/** API keys are stored by their hash alone: hex SHA-256 of the key as sent. */
export const hashApiKey = (apiKey: string): string => hash('sha256', apiKey, 'hex');
