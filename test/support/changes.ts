import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  type _Record as ChangeRecord,
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
} from '@aws-sdk/client-dynamodb-streams';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { openClient } from '#tools/tables/tables.ts';

type Image = Readonly<Record<string, unknown>>;
/** A change of a file. Before a creation and after a deletion there is no image. */
export type Change = { readonly before: Image | undefined; readonly after: Image | undefined };

const openClients = async (endpoint?: string) => {
  if (endpoint) {
    const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
    const options = { endpoint, region: 'us-east-1', credentials };
    return { tables: new DynamoDBClient(options), stream: new DynamoDBStreamsClient(options) };
  }
  const { client, settings } = await openClient();
  // An engine has table and stream at one address.
  const engine = process.env['AWS_ENDPOINT_URL_DYNAMODB'];
  const stream = new DynamoDBStreamsClient({ ...settings, ...(engine ? { endpoint: engine } : {}) });
  return { tables: client, stream };
};

/**
 * All changes that the stream of a table has, in order for each item, with their records; undefined if the table has no
 * stream.
 *
 * @param endpoint a local engine; without it, the environment says where the table is
 */
export const readChanges = async (TableName: string, endpoint?: string) => {
  const { tables, stream } = await openClients(endpoint);
  const { Table } = await tables.send(new DescribeTableCommand({ TableName }));
  if (Table?.LatestStreamArn === undefined) return undefined;
  const StreamArn = Table.LatestStreamArn;
  const { StreamDescription } = await stream.send(new DescribeStreamCommand({ StreamArn }));
  const changes: (Change & { readonly record: ChangeRecord })[] = [];
  for (const { ShardId } of StreamDescription?.Shards ?? []) {
    const start = new GetShardIteratorCommand({ StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' });
    let { ShardIterator } = await stream.send(start);
    while (ShardIterator !== undefined) {
      const { Records = [], NextShardIterator } = await stream.send(new GetRecordsCommand({ ShardIterator }));
      for (const record of Records) {
        const { OldImage, NewImage } = record.dynamodb ?? {};
        changes.push({
          before: OldImage && unmarshall(OldImage),
          after: NewImage && unmarshall(NewImage),
          record,
        });
      }
      // The last shard has no end.
      ShardIterator = Records.length > 0 ? NextShardIterator : undefined;
    }
  }
  return changes;
};
