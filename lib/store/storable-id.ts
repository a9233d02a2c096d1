/** Bytes of the longest sort key (AWS, "Quotas in Amazon DynamoDB"); a partition key may be longer. */
export const MAX_KEY_BYTES = 1024;

/** Whether an item could exist under this id. If not, the id is unknown without asking. */
export const isStorableId = (id: string): boolean =>
  id !== '' && id.isWellFormed() && Buffer.byteLength(id) <= MAX_KEY_BYTES;
