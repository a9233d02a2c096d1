import type { FilePatch } from '#lib/domain/file-patch.ts';
import type { Precondition } from '#lib/domain/file.ts';
import { createStore } from '#lib/runtime/deps.ts';
import { aCall } from '#test/support/call.ts';
import { type Fate, withFates } from '#test/support/faults.ts';
import { FILE_ID, NOW } from '#test/support/given.ts';
import type { Tables } from '#test/support/tables.ts';

export type Writer = { now?: () => number; fates?: readonly Fate[]; user?: string };

/** One who changes the given file, with a clock and a fate for each write. */
export const writerOf = (tables: Tables, { now = () => NOW, fates = [], user = 'grace' }: Writer = {}) => {
  const client = withFates(tables.client, fates);
  const { updateFile } = createStore({ client, config: tables.config, now, random: () => 0 });
  return (patch: FilePatch, call = aCall(), precondition: Precondition = { kind: 'none' }) =>
    updateFile({ spaceId: 'handbook', fileId: FILE_ID, patch, precondition, updatedBy: user }, call);
};

export const versions = (...list: number[]): Precondition => ({ kind: 'versions', versions: list });
