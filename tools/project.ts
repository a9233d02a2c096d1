import { join } from 'node:path';

/** The folder of package.json. */
export const projectRoot = join(import.meta.dirname, '..');

/** The deployed bundle, as written by `npm run build`. */
export const bundleFile = join(projectRoot, 'dist', 'update-file.cjs');

/** Temporary files of the commands. Ignored by git. */
export const localFolder = join(projectRoot, '.local');
