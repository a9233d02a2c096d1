import { join } from 'node:path';

/** Has a package.json of its own, so that the default install does not build it. */
const folder = join(import.meta.dirname, '..', 'runtime-client');
const client = join(folder, 'node_modules', 'aws-lambda-ric');

/** What runs a function inside Lambda, and the part of it that is built where it is installed. */
export const runtimeClient = {
  folder,
  file: join(client, 'index.mjs'),
  builtFile: join(client, 'rapid-client.node'),
};
