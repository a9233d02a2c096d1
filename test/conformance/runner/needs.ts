import { type Case, fileOf, stepsOf } from '../case.ts';
import { missingFor } from '../http/request.ts';
import { lookUpFor, type Run } from './run.ts';

/** Stands for the etags, which every file has once it is opened. */
const anyEtags = { etag: '"0"', stale: '"0"' };

/** What a case needs and the world does not have, as a reason to skip it. */
export const whyNot = (run: Pick<Run, 'values'>, given: Case): string | undefined => {
  const lookUp = lookUpFor(run, anyEtags);
  const file = fileOf(given);
  // The usual request too: it is what the file is prepared with.
  const sent = [{}, ...stepsOf(given).map(({ send }) => send)];
  const [missing] = sent.flatMap((one) => missingFor(one, { file, lookUp }));
  return missing === undefined ? undefined : `the world has nothing for ${missing}`;
};
