import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { runScript, toScript } from '#lib/runtime/load-bundle.ts';
import { createContext } from '#local/gateway/lambda-context.ts';
import { readService } from '#local/service/service.ts';
import event from '../../events/updated.json' with { type: 'json' };
import { cannedReply } from './canned-reply.ts';

const [file = '', cacheFile = ''] = process.argv.slice(2);

/** Says to every call what DynamoDB would say to an update that goes well. */
const server = createServer(async (request, response) => {
  const body = JSON.parse(Buffer.concat(await request.toArray()).toString());
  response.setHeader('content-type', 'application/x-amz-json-1.0');
  response.end(JSON.stringify(cannedReply(String(request.headers['x-amz-target']), body)));
});

server.listen(0, '127.0.0.1', async () => {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: `http://127.0.0.1:${address.port}`,
    AWS_REGION: 'local-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    API_KEYS_TABLE: 'api-keys',
    SPACES_TABLE: 'spaces',
    FILES_TABLE: 'files',
  });
  const script = toScript(file);
  const bundle: typeof import('#handlers/update-file.ts') = runScript(script, file);
  await bundle.prime();
  const { statusCode } = await bundle.handler(
    JSON.parse(JSON.stringify(event)),
    createContext(readService()),
  );
  if (statusCode !== 200) throw new Error(`the bundle answered ${statusCode}`);
  // By now V8 has compiled what a request needs, and nothing else.
  writeFileSync(cacheFile, script.createCachedData());
  process.exit();
});
