import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Which of the programs are not on the PATH. */
export const missingTools = (names: readonly string[], { PATH = '' } = process.env): readonly string[] =>
  names.filter((name) => !PATH.split(delimiter).some((folder) => existsSync(join(folder, name))));
