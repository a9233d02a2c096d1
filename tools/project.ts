import { join } from 'node:path';

/** The folder of package.json. */
export const projectRoot = join(import.meta.dirname, '..');

/** What is deployed, as written by `npm run build`. */
export const distFolder = join(projectRoot, 'dist');

/** Temporary files of the commands. Ignored by git. */
export const localFolder = join(projectRoot, '.local');
