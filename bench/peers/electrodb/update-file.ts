import type { Store } from '../shared/store.ts';
import { Files } from './files.ts';

/** The write by electrodb. It cannot leave out its two marks of the entity, which the file keeps from then on. */
export const updateFile: Store['updateFile'] = async ({ spaceId, fileId, patch }) => {
  const { summary, documentKind } = patch;
  const set = {
    ...(typeof summary === 'string' && { summary }),
    ...(typeof documentKind === 'string' && { documentKind }),
  };
  const remove = (['summary', 'documentKind'] as const).filter((name) => patch[name] === null);
  const { data } = await Files.patch({ spaceId, fileId })
    .set(set)
    .remove(remove)
    .go({ response: 'all_new', returnOnConditionCheckFailure: true });
  return data;
};
