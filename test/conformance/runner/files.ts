import { before, type Editable, type Sent } from '../case.ts';
import type { Answer, NoAnswer } from '../http/answer.ts';
import { parseJson } from './judge.ts';
import { exchange, type FileInUse, type Run } from './run.ts';
import { EditableSchema } from './shapes.ts';

/** A request that sets the given fields. */
export const write = (patch: Partial<Editable>): Sent => ({ body: JSON.stringify(patch) });

/** Takes an answer for what it says of the file; anything but a readable 200 leaves the file in doubt. */
export const note = (file: FileInUse, answer: Answer | NoAnswer): boolean => {
  const view = EditableSchema.safeParse('text' in answer ? parseJson(answer.text) : undefined);
  if (answer.status !== 200 || !('headers' in answer) || !view.success) {
    file.now = undefined;
    return false;
  }
  const { summary, documentKind } = view.data;
  Object.assign(file, { now: { summary, documentKind }, stale: file.etag, etag: answer.headers['etag'] });
  return true;
};

const holds = ({ now }: FileInUse, editable: Editable): boolean =>
  now?.summary === editable.summary && now.documentKind === editable.documentKind;

/** Brings a file to given values. Gives the answer if that did not work. */
const bringTo = async (run: Run, file: FileInUse, editable: Editable) => {
  if (holds(file, editable)) return undefined;
  const answer = await exchange(run, { file, sent: write(editable) });
  return note(file, answer) && holds(file, editable) ? undefined : answer;
};

/** Brings a file to what it holds when a case begins. Gives the answer if that did not work. */
export const prepare = (run: Run, file: FileInUse) => bringTo(run, file, before);

/** Puts back what a file held before the run. Gives a sentence if that did not work. */
export const putBack = async (run: Run, file: FileInUse): Promise<string | undefined> => {
  const answer = await bringTo(run, file, file.original);
  return answer && `files.${file.name} still has to be given back ${JSON.stringify(file.original)}`;
};

/** No strong tag equals a weak one: this writes nothing, and its refusal tells the etag that the file has. */
const peek: Sent = { headers: { 'if-match': 'W/"0"' } };

/** Whether the file is as the last update left it; if not, it is in doubt. */
export const isUntouched = async (run: Run, file: FileInUse): Promise<boolean> => {
  const answer = await exchange(run, { file, sent: peek });
  const etag = 'headers' in answer && answer.status === 412 ? answer.headers['etag'] : undefined;
  if (etag !== undefined && etag === file.etag) return true;
  file.now = undefined;
  file.etag = etag;
  return false;
};
