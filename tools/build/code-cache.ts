// A child process of the build. It loads the bundle, sends it one request, and stores what V8 has compiled for that.
// Arguments: the bundle, and the cache file to write.
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import * as z from 'zod';
import { runScript, toScript } from '#lib/runtime/load-bundle.ts';
import { hashApiKey } from '#lib/store/keys.ts';
import { applyEnvironment, engineEnvironment } from '#tools/dev-server/environment.ts';
import { createContext } from '#tools/dev-server/lambda.ts';
import { listen } from '#tools/dev-server/listen.ts';
import { readService } from '#tools/dev-server/service.ts';
import event from '../../events/updated.json' with { type: 'json' };

const [file = '', cacheFile = ''] = process.argv.slice(2);
const service = readService();

/** Valid as an API key, as a space and as a file: each reader takes its own attributes. */
const record = {
  keyHash: { S: hashApiKey(event.headers['x-api-key']) },
  tenantId: { S: 'acme' },
  keyId: { S: 'key' },
  scope: { S: 'PRODUCT' },
  roles: { L: [{ S: 'editor' }] },
  spaceId: { S: 'handbook' },
  ownerId: { S: 'grace' },
  visibility: { S: 'public' },
  fileId: { S: '3f2b8c1e-6a4d-4c57-9e0f-1b7a2d9c5e80' },
  originalName: { S: 'onboarding.pdf' },
  language: { S: 'en' },
  domain: { S: 'hr' },
  chunksCount: { N: '12' },
  charactersCount: { N: '18450' },
  tags: { L: [{ M: { key: { S: 'status' }, value: { S: 'approved' }, aiExtracted: { BOOL: false } } }] },
};
const { API_KEYS_TABLE, SPACES_TABLE } = service.tableNames;
const found = { Responses: { [API_KEYS_TABLE]: [record], [SPACES_TABLE]: [record] }, UnprocessedKeys: {} };

const WriteSchema = z.object({ ExpressionAttributeValues: z.object({ ':requestId': z.unknown() }) });

/** A DynamoDB in which every record exists and every write succeeds. */
const server = createServer(async (request, response) => {
  const write = WriteSchema.safeParse(await json(request)).data?.ExpressionAttributeValues;
  const updated = { Attributes: { ...record, requestId: write?.[':requestId'] } };
  response.setHeader('content-type', 'application/x-amz-json-1.0');
  response.end(JSON.stringify(write ? updated : found));
});
applyEnvironment({
  ...engineEnvironment(`http://127.0.0.1:${await listen(server)}`),
  ...service.tableNames,
});

const script = toScript(file);
const bundle: typeof import('#handlers/update-file.ts') = runScript(script, file);
await bundle.prime();
const { statusCode } = await bundle.handler(JSON.parse(JSON.stringify(event)), createContext(service));
if (statusCode !== 200) throw new Error(`the bundle responded with ${statusCode}`);
writeFileSync(cacheFile, script.createCachedData());
process.exit();
