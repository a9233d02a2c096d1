import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';

/** What happens to one write on its way: sent as it is, lost before or after the table applies it. */
export type Fate = 'passes' | 'lost before' | 'lost after' | (() => Promise<void>);

const reset = () => Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });

/**
 * The same client with a fate for each write in turn; the writes after the last pass. A function as a fate runs
 * before the write is sent: another writer, say.
 */
export const withFates = (client: DynamoDBDocumentClient, fates: readonly Fate[]): DynamoDBDocumentClient => {
  const left = [...fates];
  const send = async (command: unknown, ...rest: unknown[]) => {
    const fate = command instanceof UpdateCommand ? (left.shift() ?? 'passes') : 'passes';
    if (fate === 'lost before') throw reset();
    if (typeof fate === 'function') await fate();
    const reply = await Reflect.apply(client.send, client, [command, ...rest]);
    if (fate === 'lost after') throw reset();
    return reply;
  };
  return new Proxy(client, { get: (target, name) => (name === 'send' ? send : Reflect.get(target, name)) });
};
