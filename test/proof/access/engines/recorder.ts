import { BatchGetCommand, type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { type Backend, idOf, type TableName } from './backend.ts';

const tableNames: readonly TableName[] = ['apiKeys', 'spaces', 'files'];

/** One call as text: what it does, to which tables, under which keys. */
const describe = (command: object, { config }: Backend): string => {
  const tableOf = (name = '') => tableNames.find((table) => config[`${table}Table`] === name);
  const named = (name: string | undefined, key: Record<string, unknown> = {}) => {
    const table = tableOf(name);
    return table ? `${table}${idOf(table, key)}` : `unknown table ${name}`;
  };
  if (command instanceof UpdateCommand) return `update ${named(command.input.TableName, command.input.Key)}`;
  if (!(command instanceof BatchGetCommand)) return command.constructor.name;
  const reads = Object.entries(command.input.RequestItems ?? {}).flatMap(([name, { Keys, ConsistentRead }]) =>
    (Keys ?? []).map((key) => `${named(name, key)}${ConsistentRead ? '' : ' stale'}`),
  );
  return `read ${reads.toSorted().join(' ')}`;
};

/** The same tables, recording every call that a handler makes to them. `take` gives the calls since the last one. */
export const recorded = (backend: Backend) => {
  let calls: string[] = [];
  const send: DynamoDBDocumentClient['send'] = (command: object, ...rest: unknown[]) => {
    calls.push(describe(command, backend));
    return Reflect.apply(backend.client.send, backend.client, [command, ...rest]);
  };
  const client = new Proxy(backend.client, {
    get: (target, name) => (name === 'send' ? send : Reflect.get(target, name)),
  });
  return {
    ...backend,
    client,
    take: (): readonly string[] => {
      const taken = calls;
      calls = [];
      return taken;
    },
  };
};
