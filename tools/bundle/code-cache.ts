// A child process of the build. It loads the bundle, sends it one request, and stores what V8 has compiled for that.
// Arguments: the bundle, and the cache file to write.
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { requireScript } from '#lib/runtime/load-bundle.ts';
import { createContext } from '#tools/lambda.ts';
import { listen } from '#tools/listen.ts';
import { readService } from '#tools/service.ts';
import { applyEnvironment, engineEnvironment } from '#tools/tables/environment.ts';
import event from '../../events/updated.json' with { type: 'json' };
import { respondAsStub } from './stub.ts';

const [file = '', cacheFile = ''] = process.argv.slice(2);

const server = createServer(respondAsStub);
const tables = { API_KEYS_TABLE: 'api-keys', SPACES_TABLE: 'spaces', FILES_TABLE: 'files' };
applyEnvironment({ ...engineEnvironment(`http://127.0.0.1:${await listen(server)}`), ...tables });

const { exports, script } = requireScript(file);
const bundle: typeof import('#handlers/update-file.ts') = exports;
await bundle.prime();
const { statusCode } = await bundle.handler(
  JSON.parse(JSON.stringify(event)),
  createContext(readService().limits),
);
if (statusCode !== 200) throw new Error(`the bundle responded with ${statusCode}`);
writeFileSync(cacheFile, script.createCachedData());
process.exit();
