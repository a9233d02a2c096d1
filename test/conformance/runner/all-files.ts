import { type FileName, fileOf, type Group } from '../case.ts';
import { isUntouched, putBack } from './files.ts';
import { whyNot } from './needs.ts';
import { openFile } from './open-file.ts';
import type { FileInUse, Run } from './run.ts';

/** Opens the files of all cases that can be run. */
export const openFiles = async (run: Run, groups: readonly Group[]): Promise<readonly FileInUse[]> => {
  const cases = groups.flatMap((group) => group.cases).filter((given) => whyNot(run, given) === undefined);
  const files: FileInUse[] = [];
  for (const name of new Set<FileName>(cases.map(fileOf))) files.push(await openFile(run, name));
  return files;
};

/** Peeks at every file: true when each tells the etag that it was opened with. */
export const areUntouched = async (run: Run, files: readonly FileInUse[]): Promise<boolean> => {
  let all = true;
  for (const file of files) all = (await isUntouched(run, file)) && all;
  return all;
};

/** Puts every file back. Gives sentences about those for which that did not work. */
export const putAllBack = async (run: Run, files: readonly FileInUse[]): Promise<readonly string[]> => {
  const leftovers: string[] = [];
  for (const file of files) {
    const leftover = await putBack(run, file);
    if (leftover !== undefined) leftovers.push(leftover);
  }
  return leftovers;
};
