import { join } from 'node:path';

/** The folder that holds package.json; every path below starts here, wherever the command was typed. */
export const projectRoot = join(import.meta.dirname, '..');

/** The deployed bundle, as written by `npm run build`. */
export const bundleFile = join(projectRoot, 'dist', 'update-file.cjs');

/** What a running `npm start` leaves behind for the other commands. Ignored by git. */
export const localFolder = join(projectRoot, '.local');
