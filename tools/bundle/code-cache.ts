// A child process of the build. It loads a bundle, sends it one request, and stores what V8 has compiled for that. The
// request is the event of events/ that has the name of the bundle. Without one, the bundle is only primed.
// Arguments: the bundle, and the cache file to write.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { basename, join } from 'node:path';
import { requireScript } from '#lib/runtime/load-bundle.ts';
import { createContext, ResponseSchema } from '#tools/lambda.ts';
import { listen } from '#tools/listen.ts';
import { projectRoot } from '#tools/project.ts';
import { applyEnvironment, engineEnvironment } from '#tools/tables/environment.ts';
import { respondAsStub } from './stub.ts';

const [file = '', cacheFile = ''] = process.argv.slice(2);

const server = createServer(respondAsStub);
const tables = { API_KEYS_TABLE: 'api-keys', SPACES_TABLE: 'spaces', FILES_TABLE: 'files' };
applyEnvironment({ ...engineEnvironment(`http://127.0.0.1:${await listen(server)}`), ...tables });

const { bundle, script } = requireScript(file);
await bundle.prime();
const event = join(projectRoot, 'events', `${basename(file, '.cjs')}.json`);
if (existsSync(event)) {
  const context = createContext({ memorySize: 512, timeout: 10 });
  const response = await bundle.handler(JSON.parse(readFileSync(event, 'utf8')), context);
  const { statusCode } = ResponseSchema.parse(response);
  if (statusCode !== 200) throw new Error(`the bundle responded with ${statusCode}`);
}
writeFileSync(cacheFile, script.createCachedData());
process.exit();
