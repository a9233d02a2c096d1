import { type AttributeValue, BatchWriteItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';

type Item = Record<string, AttributeValue>;

/** DynamoDB's own limit for one call. */
const itemsPerCall = 25;
/** Enough to keep the engine busy. */
const callsAtOnce = 8;

/** Stores items as they are, whatever was there before. */
export const putItems = async (
  { endpoint, table }: { endpoint: string; table: string },
  items: Iterable<Item>,
): Promise<void> => {
  const client = new DynamoDBClient({
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const left = items[Symbol.iterator]();
  const work = async () => {
    for (let batch = next(left); batch.length > 0; batch = next(left)) {
      const puts = batch.map((Item) => ({ PutRequest: { Item } }));
      const { UnprocessedItems = {} } = await client.send(
        new BatchWriteItemCommand({ RequestItems: { [table]: puts } }),
      );
      if (Object.keys(UnprocessedItems).length > 0) throw new Error('the engine left items unprocessed');
    }
  };
  try {
    await Promise.all(Array.from({ length: callsAtOnce }, work));
  } finally {
    client.destroy();
  }
};

/** The next items of a call; fewer at the end, then none. */
const next = (items: Iterator<Item>): Item[] => {
  const batch: Item[] = [];
  while (batch.length < itemsPerCall) {
    const { value, done } = items.next();
    if (done) break;
    batch.push(value);
  }
  return batch;
};
