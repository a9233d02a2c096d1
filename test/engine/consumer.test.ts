import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { transform } from 'esbuild';
import { expect, test } from 'vitest';
import { createStore } from '#lib/store/update-file.ts';
import type { Change } from '#test/support/changes.ts';
import { aFile, NOW } from '#test/support/fixtures.ts';
import { partOf } from '#test/support/pages.ts';
import { aRequestContext, createTestSystem } from '#test/support/system.ts';
import { openTables } from '#test/support/tables.ts';

/*
 * A consumer that runs the function of docs/tables.md, "Follow changes", word for word, reads the stream of a real engine. It
 * must end with the files of the table, in whatever order it gets the records.
 */
type Image = Readonly<Record<string, unknown>>;
type Kept = { readonly version: number; readonly file?: Image };
type AfterRecord = (kept: Kept | undefined, oldImage?: Image, newImage?: Image) => Kept | undefined;

const program = 'the program in a block ```ts, which exports the function afterRecord';
const source = partOf('docs/tables.md', /^```ts\n(.*?export function afterRecord.*?)^```$/ms, program);
const { code } = await transform(source, { loader: 'ts' });
const { afterRecord }: { afterRecord: AfterRecord } = await import(
  `data:text/javascript,${encodeURIComponent(code)}`
);

const keyOf = ({ spaceId, fileId }: Image) => `${spaceId}/${fileId}`;

const createConsumer = () => {
  const rows = new Map<string, Kept | undefined>();
  return {
    consume: ({ before, after }: Change) => {
      const key = keyOf(after ?? before ?? expect.unreachable());
      rows.set(key, afterRecord(rows.get(key), before, after));
    },
    /** The files, without those that are deleted. */
    files: () =>
      Object.fromEntries([...rows].flatMap(([key, kept]) => (kept?.file ? [[key, kept.file]] : []))),
  };
};

const tables = await openTables('consumer');
const { updateFile } = createStore({ ...tables.config, client: tables.client }, createTestSystem());
const spaceId = 'handbook';
const update = (fileId: string, summary: string) => {
  const caller = { tenantId: 'acme', userId: 'grace', idempotencyKey: undefined, precondition: undefined };
  return updateFile(
    { ...caller, spaceId, fileId, patch: { summary } },
    aRequestContext({ deadline: 60_000 }),
  );
};
const remove = (fileId: string) =>
  tables.client.send(new DeleteCommand({ TableName: tables.names.FILES_TABLE, Key: { spaceId, fileId } }));

/** Another service creates the file a second time, later than all that came before. */
const createAgain = async (fileId: string) => {
  const { version } = await update(fileId, 'The last one before the deletion.');
  await remove(fileId);
  await tables.put('files', aFile({ fileId, version: version + 1, summary: 'Created again.' }));
};

const ids = (count: number, kind: string) => Array.from({ length: count }, (_, at) => `${kind}-${at}`);
const histories: Readonly<Record<string, (fileId: string) => Promise<unknown>>> = {
  kept: (fileId) => update(fileId, 'Updated.'),
  deleted: remove,
  'updated and deleted': async (fileId) => {
    await update(fileId, 'Updated.');
    await remove(fileId);
  },
  'created again': createAgain,
  'created again and deleted': async (fileId) => {
    await createAgain(fileId);
    await remove(fileId);
  },
  'created again and updated': async (fileId) => {
    await createAgain(fileId);
    await update(fileId, 'Updated.');
  },
};
for (const [kind, change] of Object.entries(histories))
  for (const fileId of ids(4, kind)) {
    // A file that nothing has updated yet may have no version.
    await tables.put('files', aFile({ fileId, ...(fileId.endsWith('0') ? {} : { version: NOW * 1000 }) }));
    await change(fileId);
  }
const changes = await tables.changes();
/** The files of the table, by the keys that the consumer has. */
const filesNow = async () => {
  const all = Object.values(await tables.records());
  return Object.fromEntries(all.map((file) => [keyOf(file), file]));
};
const files = await filesNow();

const middle = Math.floor(changes.length / 2);
/** Each third record fails, and is sent again after all others. */
const failed = changes.filter((_, at) => at % 3 === 0);
test.each<[string, readonly Change[]]>([
  ['once', changes],
  ['with a crash, after which the first half comes again', [...changes.slice(0, middle), ...changes]],
  ['each one twice', changes.flatMap((change) => [change, change])],
  [
    'with the files in another order',
    Object.values(Object.groupBy(changes, ({ before, after }) => keyOf(after ?? before ?? {})))
      .reverse()
      .flatMap((of = []) => of),
  ],
  ['with failed ones last', [...changes.filter((change) => !failed.includes(change)), ...failed]],
  ['from the last to the first', changes.toReversed()],
])('a consumer that gets the records %s has the files of the table', (_, records) => {
  const consumer = createConsumer();
  for (const record of records) consumer.consume(record);
  expect(consumer.files()).toEqual(files);
});

test('a consumer that reads the table first, and then the whole stream, has the files of the table', async () => {
  const consumer = createConsumer();
  const [gone = expect.unreachable()] = Object.values(files);
  for (const after of Object.values(files)) consumer.consume({ before: undefined, after });
  // Deleted after it was read.
  await remove(String(gone['fileId']));
  for (const record of await tables.changes()) consumer.consume(record);
  expect(consumer.files()).toEqual(await filesNow());
});
