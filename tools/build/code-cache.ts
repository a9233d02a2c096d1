// A child process of the build. It loads the bundle, sends it one request, and stores what V8 has compiled for that.
// Arguments: the bundle, and the cache file to write.
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import * as z from 'zod';
import { runScript, toScript } from '#lib/runtime/load-bundle.ts';
import { hashApiKey } from '#lib/store/keys.ts';
import { createContext } from '#tools/dev-server/lambda.ts';
import { readService } from '#tools/dev-server/service.ts';
import event from '../../events/updated.json' with { type: 'json' };

const UpdateSchema = z.object({ ExpressionAttributeValues: z.record(z.string(), z.unknown()) });

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

/** The response to an update: the record with the new values. The placeholder of the attribute `name` is `:name`. */
const updated = (request: unknown) => {
  const { ExpressionAttributeValues } = UpdateSchema.parse(request);
  const values = Object.entries(ExpressionAttributeValues).map(([name, value]) => [name.slice(1), value]);
  return { Attributes: { ...record, ...Object.fromEntries(values) } };
};

/** A DynamoDB in which every record exists and every write succeeds. */
const server = createServer(async (request, response) => {
  const isRead = String(request.headers['x-amz-target']).endsWith('BatchGetItem');
  response.setHeader('content-type', 'application/x-amz-json-1.0');
  response.end(JSON.stringify(isRead ? found : updated(await json(request))));
});
await once(server.listen(0, '127.0.0.1'), 'listening');
const address = server.address();
if (address === null || typeof address === 'string') throw new Error('the server has no port');

Object.assign(process.env, service.tableNames, {
  AWS_ENDPOINT_URL_DYNAMODB: `http://127.0.0.1:${address.port}`,
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
});
const script = toScript(file);
const bundle: typeof import('#handlers/update-file.ts') = runScript(script, file);
await bundle.prime();
const { statusCode } = await bundle.handler(JSON.parse(JSON.stringify(event)), createContext(service));
if (statusCode !== 200) throw new Error(`the bundle responded with ${statusCode}`);
writeFileSync(cacheFile, script.createCachedData());
process.exit();
