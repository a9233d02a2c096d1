import { readFile } from 'node:fs/promises';
import type * as z from 'zod';
import { Complaint, codeOf, reasonOf } from '#local/complaint.ts';
import { type Data, DataSchema } from './data.ts';
import { duplicateIn } from './data-duplicates.ts';

/**
 * Reads and checks a data file. Throws a Complaint that names the file and the first thing wrong in it, and never
 * quotes what stands there: it may be a key.
 */
export const readData = async (file: string): Promise<Data> => {
  const parsed = DataSchema.safeParse(parseJson(file, await readText(file)));
  if (!parsed.success) throw new Complaint(`${file}: ${firstProblem(parsed.error)}.`);
  const duplicate = duplicateIn(parsed.data);
  if (duplicate !== undefined) throw new Complaint(`${file}: ${duplicate}.`);
  return parsed.data;
};

const readText = async (file: string): Promise<string> => {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const problem = codeOf(error) === 'ENOENT' ? 'does not exist' : `cannot be read: ${reasonOf(error)}`;
    throw new Complaint(`The data file ${file} ${problem}.`, { cause: error });
  }
};

const parseJson = (file: string, text: string): unknown => {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    // The rest of the message quotes the file.
    const [where = ''] = /\(line \d+ column \d+\)/.exec(reasonOf(error)) ?? [];
    throw new Complaint(`${file} is not valid JSON ${where}`.trimEnd().concat('.'));
  }
};

const firstProblem = ({ issues: [issue] }: z.ZodError): string => {
  if (issue === undefined) return 'does not fit';
  return issue.path.length === 0 ? issue.message : `${pathText(issue.path)} ${issue.message}`;
};

/** `spaces[2].visibility`, as one would write it in code. */
const pathText = (path: readonly PropertyKey[]): string =>
  path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .slice(1);
