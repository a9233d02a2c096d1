import { createInterface } from 'node:readline';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { readConfig } from '#lib/runtime/deps.ts';
import { toDocumentClient } from '#lib/runtime/deps.ts';
import { fileKey, hashApiKey } from '#lib/store/keys.ts';
import { engineBinary, freePort, spawnBound } from '#tools/dev-server/engine.ts';
import { createTables } from '#tools/dev-server/tables.ts';

/** An engine on a database file that can be killed outright and started again at the same address. */
export const startOwnEngine = async (dbPath: string) => {
  const port = await freePort();
  const open = async () => {
    const args = ['serve', '--host', '127.0.0.1', '--port', String(port), '--db-path', dbPath];
    const engine = spawnBound(engineBinary(), args);
    if (!engine.child.stderr) throw new Error('the engine has no stderr');
    const lines = createInterface({ input: engine.child.stderr });
    await new Promise<void>((resolve, reject) => {
      lines.on('line', (line) => line.includes('listening on') && resolve());
      engine.exited.then(() => reject(new Error('the engine did not start')));
    });
    return engine;
  };

  let engine = await open();
  return {
    endpoint: `http://127.0.0.1:${port}`,
    killAndReopen: async () => {
      engine.child.kill('SIGKILL');
      await engine.exited;
      engine = await open();
    },
    stop: () => engine.stop(),
  };
};

/** Its tables, and what a world does to them. */
export const openOwnTables = async (endpoint: string) => {
  const client = toDocumentClient(
    new DynamoDBClient({
      endpoint,
      region: 'local-1',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    }),
  );
  const config = readConfig(await createTables(client, 'own-'));
  const put = async (TableName: string, Item: Record<string, unknown>) => {
    await client.send(new PutCommand({ TableName, Item }));
  };
  return {
    config,
    putApiKey: ({ key, ...record }: Record<string, unknown> & { key: string }) =>
      put(config.apiKeysTable, { keyHash: hashApiKey(key), ...record }),
    putSpace: (record: Record<string, unknown>) => put(config.spacesTable, record),
    putFile: (record: Record<string, unknown>) => put(config.filesTable, record),
    getFile: async (spaceId: string, fileId: string) => {
      const Key = fileKey({ spaceId, fileId });
      const read = new GetCommand({ TableName: config.filesTable, Key, ConsistentRead: true });
      return (await client.send(read)).Item;
    },
  };
};
