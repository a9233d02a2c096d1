import { UsageError } from '#tools/cli.ts';
import type { FileName } from '../case.ts';
import { describeAnswer } from './describe.ts';
import { note, write } from './files.ts';
import { parseJson } from './judge.ts';
import { exchange, type FileInUse, type Run } from './run.ts';
import { EditableSchema } from './shapes.ts';

/**
 * Opens a file: writes the documentKind that the world states, which changes nothing if it is true, and learns from
 * the answer all the rest, the summary too. Throws a UsageError where that does not work.
 */
export const openFile = async (run: Run, name: FileName): Promise<FileInUse> => {
  const documentKind = run.world.files[name]?.documentKind ?? null;
  const unknown = { summary: null, documentKind };
  const file: FileInUse = {
    name,
    found: {},
    original: unknown,
    now: undefined,
    etag: undefined,
    stale: undefined,
  };
  const answer = await exchange(run, { file, sent: write({ documentKind }) });
  if ('reason' in answer) throw new UsageError(`The service cannot be reached: ${answer.reason}.`);
  const view = EditableSchema.safeParse(parseJson(answer.text));
  if (!note(file, answer) || !view.success) {
    const got = describeAnswer(answer, run);
    throw new UsageError(`files.${name} cannot be written with the keys and ids of the world; got ${got}`);
  }
  return { ...file, found: view.data, original: { summary: view.data.summary, documentKind } };
};
