import { BatchGetCommand, type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';

/** The same client, counting the calls of each kind and the writes that the table applied. */
export const counted = (client: DynamoDBDocumentClient) => {
  const counts = { reads: 0, writes: 0, applied: 0 };
  const send = async (command: unknown, ...rest: unknown[]) => {
    if (command instanceof BatchGetCommand) counts.reads += 1;
    else counts.writes += 1;
    const reply = await Reflect.apply(client.send, client, [command, ...rest]);
    if (command instanceof UpdateCommand) counts.applied += 1;
    return reply;
  };
  const proxy: DynamoDBDocumentClient = new Proxy(client, {
    get: (target, name) => (name === 'send' ? send : Reflect.get(target, name)),
  });
  return { client: proxy, counts };
};
