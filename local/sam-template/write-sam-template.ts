import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Complaint, codeOf } from '#local/complaint.ts';
import { PackagedSchema, toSamTemplate } from './to-sam-template.ts';

/** Reads a file, undefined when there is none. */
const readIfThere = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
};

/**
 * Writes sam-template.json beside what `serverless package` wrote.
 *
 * @param folder where the package lies
 * @returns the file
 * @throws {Complaint} when nothing was packaged yet
 */
export const writeSamTemplate = (folder: string, endpoint?: string): string => {
  const text = readIfThere(join(folder, 'cloudformation-template-update-stack.json'));
  if (text === undefined) throw new Complaint('Nothing is packaged yet: run `npx serverless package` first.');
  const file = join(folder, 'sam-template.json');
  const template = toSamTemplate(PackagedSchema.parse(JSON.parse(text)), endpoint);
  writeFileSync(file, `${JSON.stringify(template, undefined, 2)}\n`);
  return file;
};
