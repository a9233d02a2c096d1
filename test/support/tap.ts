import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** The same client, telling the names of the commands sent through it, in order. */
export const tapped = (client: DynamoDBDocumentClient) => {
  const names: string[] = [];
  const send: DynamoDBDocumentClient['send'] = (
    command: { constructor: { name: string } },
    ...rest: unknown[]
  ) => {
    names.push(command.constructor.name);
    return Reflect.apply(client.send, client, [command, ...rest]);
  };
  const proxy = new Proxy(client, {
    get: (target, name) => (name === 'send' ? send : Reflect.get(target, name)),
  });
  return { client: proxy, calls: (): readonly string[] => names };
};
