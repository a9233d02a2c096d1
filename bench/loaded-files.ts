import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { childEnvironment } from './world/environment.ts';
import { requests } from './world/events.ts';

/** Loads a handler, lets it fail against a port where nobody listens, and prints every file it has loaded by then. */
const script = `
  const [file, event] = process.argv.slice(1);
  const { handler } = require(file);
  handler(JSON.parse(event), {}).finally(() => console.log(JSON.stringify(Object.keys(require.cache))));
`;

const nowhere = {
  endpoint: 'http://127.0.0.1:1',
  tables: { API_KEYS_TABLE: 'api-keys', SPACES_TABLE: 'spaces', FILES_TABLE: 'files' },
};

/** The files that a handler which is not bundled loads until its first call has gone out. */
export const loadedFiles = async (file: string): Promise<string[]> => {
  const args = ['--input-type=commonjs', '--eval', script, file, JSON.stringify(requests.good)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: childEnvironment(nowhere) });
  return JSON.parse(stdout);
};
