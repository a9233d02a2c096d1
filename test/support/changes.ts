import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  type _Record as ChangeRecord,
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
} from '@aws-sdk/client-dynamodb-streams';
import { unmarshall } from '@aws-sdk/util-dynamodb';

type Image = Readonly<Record<string, unknown>>;
/** A change of a file. Before a creation and after a deletion there is no image. */
export type Change = { readonly before: Image | undefined; readonly after: Image | undefined };

/**
 * All changes that the stream of a table has, in order for each item, with their records; undefined if the table has no
 * stream.
 *
 * @param endpoint a local engine; without it, the environment says where the table is
 */
export const readChanges = async (TableName: string, endpoint?: string) => {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  // An engine has table and stream at one address.
  const endpointOfEnvironment = process.env['AWS_ENDPOINT_URL_DYNAMODB'];
  const ofEnvironment = endpointOfEnvironment ? { endpoint: endpointOfEnvironment } : {};
  const options = endpoint ? { endpoint, region: 'us-east-1', credentials } : ofEnvironment;
  const { Table } = await new DynamoDBClient(options).send(new DescribeTableCommand({ TableName }));
  if (Table?.LatestStreamArn === undefined) return undefined;
  const StreamArn = Table.LatestStreamArn;
  const client = new DynamoDBStreamsClient(options);
  const { StreamDescription } = await client.send(new DescribeStreamCommand({ StreamArn }));
  const changes: (Change & { readonly record: ChangeRecord })[] = [];
  for (const { ShardId } of StreamDescription?.Shards ?? []) {
    const start = new GetShardIteratorCommand({ StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' });
    let { ShardIterator } = await client.send(start);
    while (ShardIterator !== undefined) {
      const { Records = [], NextShardIterator } = await client.send(new GetRecordsCommand({ ShardIterator }));
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
