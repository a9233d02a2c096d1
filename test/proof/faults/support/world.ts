import { expectContract } from '#test/support/contract.ts';
import { aBasicFile, aFile, anApiKey, aSpace } from '#test/support/given.ts';
import { openTables, type Tables } from '#test/support/tables.ts';
import { apiKeys } from './api-keys.ts';
import type { FileHistory } from './history.ts';
import type { FileId, Operations } from './load.ts';
import { readRecord } from './snapshot.ts';

/** Attributes that an answer shows or that it is found by; all others are internal. */
const shown = Object.keys(aFile());

type WorldTables = Pick<Tables, 'config' | 'putApiKey' | 'putSpace' | 'putFile' | 'getFile'>;

/** Files of both shapes, each in a space of its own, and keys to change them with. */
export const openWorld = async (name: string, fileCount: number, given?: WorldTables) => {
  const tables = given ?? (await openTables(name));
  const records = Array.from({ length: fileCount }, (_, n) => {
    const overrides = { spaceId: `${name}-${n}`, fileId: `file-${n}`, thumbnail: `internal ${n}` };
    return n % 2 === 0 ? aFile(overrides) : aBasicFile(overrides);
  });
  await Promise.all([
    ...apiKeys.map((key) => tables.putApiKey(anApiKey({ key, keyId: `id of ${key}` }))),
    ...records.map(({ spaceId }) => tables.putSpace(aSpace({ spaceId }))),
    ...records.map(tables.putFile),
  ]);
  const getRecord = async ({ spaceId, fileId }: FileId) =>
    readRecord((await tables.getFile(spaceId, fileId)) ?? {}, shown);

  return {
    config: tables.config,
    files: records.map(({ spaceId, fileId }): FileId => ({ spaceId, fileId })),
    getRecord,
    /** What happened to each file, from its beginning to the record as it stands; every answer is checked. */
    histories: (operations: Operations): Promise<readonly FileHistory[]> =>
      Promise.all(
        records.map(async (record) => {
          const told = operations.get(record.fileId) ?? [];
          for (const { response } of told) expectContract(response);
          const before = readRecord(record, shown);
          const after = await getRecord(record);
          return {
            file: record.fileId,
            operations: told,
            before: { ...before.snapshot, version: before.version },
            after: { ...after.snapshot, version: after.version, requestId: after.requestId },
            hidden: { before: before.hidden, after: after.hidden },
          };
        }),
      ),
  };
};
export type World = Awaited<ReturnType<typeof openWorld>>;
