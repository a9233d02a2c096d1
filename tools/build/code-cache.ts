// A child process of the build. It loads the bundle, sends it one request, and stores what V8 has compiled for that.
// Arguments: the bundle, and the cache file to write.
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { marshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod';
import { runScript, toScript } from '#lib/runtime/load-bundle.ts';
import { hashApiKey } from '#lib/store/keys.ts';
import demo from '#tools/dev-server/demo-data.json' with { type: 'json' };
import { applyEnvironment, engineEnvironment } from '#tools/dev-server/environment.ts';
import { createContext } from '#tools/dev-server/lambda.ts';
import { listen } from '#tools/dev-server/listen.ts';
import { readService } from '#tools/dev-server/service.ts';
import event from '../../events/updated.json' with { type: 'json' };

const [file = '', cacheFile = ''] = process.argv.slice(2);

/** Valid as an API key, as a space and as a file: each reader takes its own attributes. */
const keyHash = hashApiKey(event.headers['x-api-key']);
const record = marshall({ ...demo.apiKeys[0], ...demo.spaces[0], ...demo.files[0], keyHash });
const tables = { API_KEYS_TABLE: 'api-keys', SPACES_TABLE: 'spaces', FILES_TABLE: 'files' };
const found = { Responses: { 'api-keys': [record], spaces: [record] }, UnprocessedKeys: {} };

const WriteSchema = z.object({ ExpressionAttributeValues: z.object({ ':write': z.unknown() }) });

/** A DynamoDB in which every record exists and every write succeeds. */
const server = createServer(async (request, response) => {
  const write = WriteSchema.safeParse(await json(request)).data?.ExpressionAttributeValues;
  const updated = { Attributes: { ...record, w1: write?.[':write'] } };
  response.setHeader('content-type', 'application/x-amz-json-1.0');
  response.end(JSON.stringify(write ? updated : found));
});
applyEnvironment({ ...engineEnvironment(`http://127.0.0.1:${await listen(server)}`), ...tables });

const script = toScript(file);
const bundle: typeof import('#handlers/update-file.ts') = runScript(script, file);
await bundle.prime();
const { statusCode } = await bundle.handler(
  JSON.parse(JSON.stringify(event)),
  createContext(readService().limits),
);
if (statusCode !== 200) throw new Error(`the bundle responded with ${statusCode}`);
writeFileSync(cacheFile, script.createCachedData());
process.exit();
