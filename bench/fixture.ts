import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGzip } from 'node:zlib';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import updated from '../events/updated.json' with { type: 'json' };
import { type Data, loadData } from '../tools/dev-server/data.ts';
import { engineBinary, startEngine } from '../tools/dev-server/engine.ts';
import { readService } from '../tools/dev-server/service.ts';
import { createTables } from '../tools/dev-server/tables.ts';

/** The environment variables of a process that has loaded a variant. */
export type Environment = Readonly<Record<string, string>>;

/** A DynamoDB engine with tables and records, and a temporary folder. `environment` leads a variant to the engine. */
export type Fixture = {
  readonly endpoint: string;
  readonly environment: Environment;
  readonly folder: string;
};

const keyWith = (name: string, more: object = {}) => ({
  key: `bench-${name}-key`,
  keyId: `key-${name}`,
  tenantId: 'acme',
  scope: 'PRODUCT',
  roles: ['editor'],
  createdAt: 1767225600,
  ...more,
});

export const tagsOf = (length: number) =>
  Array.from({ length }, (_, index) => ({
    key: `key-${index}`,
    value: `the value of ${index}`,
    aiExtracted: index % 2 === 0,
  }));

/** A key, a public space and a file of about 1 KB, which is measured. The others are for the checks of responses. */
const records: Data = {
  apiKeys: [
    keyWith('editor'),
    keyWith('viewer', { roles: ['viewer'] }),
    keyWith('internal', { scope: 'INTERNAL' }),
    keyWith('revoked', { revokedAt: 1767225601 }),
  ],
  spaces: [
    { tenantId: 'acme', spaceId: 'handbook', ownerId: 'grace', visibility: 'public' },
    { tenantId: 'acme', spaceId: 'ada-drafts', ownerId: 'ada', visibility: 'private' },
  ],
  files: [
    {
      spaceId: 'handbook',
      fileId: '3f2b8c1e-6a4d-4c57-9e0f-1b7a2d9c5e80',
      originalName: 'onboarding-handbook-for-new-colleagues-2026.pdf',
      summary: 'How the first week goes, told at some length. '.repeat(6).trim(),
      language: 'en',
      documentKind: 'guide',
      domain: 'hr',
      chunksCount: 12,
      charactersCount: 18450,
      tags: tagsOf(6),
    },
    // Written by a clock that is ahead: our first conditional write is rejected and repeated.
    { spaceId: 'handbook', fileId: 'from-the-future', language: 'en', domain: 'hr', tags: [], version: 9e15 },
  ],
};

/** About 200 characters. */
export const summary =
  'What to do in the first week: whom to meet, which accounts to ask for, where the tools are, how a day goes, ' +
  'and what can wait until the second week. Approved by the people team; comes with a list.';

/** An event of an HTTP API: by default an update of both fields that succeeds. */
export const eventOf = ({
  apiKey = 'bench-editor-key',
  tenantId = 'acme',
  spaceId = 'handbook',
  fileId = '3f2b8c1e-6a4d-4c57-9e0f-1b7a2d9c5e80',
  body = JSON.stringify({ summary, documentKind: 'checklist' }),
}): APIGatewayProxyEventV2 => {
  const path = `/v1/spaces/${spaceId}/files/${fileId}`;
  const contentLength = String(Buffer.byteLength(body));
  return {
    ...updated,
    rawPath: path,
    headers: {
      ...updated.headers,
      'content-length': contentLength,
      'x-api-key': apiKey,
      'x-tenant-id': tenantId,
    },
    requestContext: { ...updated.requestContext, http: { ...updated.requestContext.http, path } },
    pathParameters: { spaceId, fileId },
    body,
  };
};

/** What Lambda sets and the SDK reads. Nothing else of this machine reaches a variant, ~/.aws neither. */
const lambdaEnvironment = {
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'ASIABENCHBENCHBENCH',
  AWS_SECRET_ACCESS_KEY: 'bench',
  AWS_SESSION_TOKEN: 'bench',
  AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
  AWS_LAMBDA_FUNCTION_NAME: 'space-files-bench',
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '512',
  HOME: '/nonexistent',
};

function* linesOf(files: Iterable<object>) {
  for (const file of files) yield `${JSON.stringify({ Item: marshall(file) })}\n`;
}

/** A database file with these files, by the import of the engine: three times as fast as writing them. */
const importFiles = async (folder: string, files: Iterable<object>): Promise<string> => {
  const { tables, tableNames } = readService();
  const table = tables.find(({ TableName }) => TableName === tableNames.FILES_TABLE);
  const [schema, database] = [join(folder, 'schema.json'), join(folder, 'database')];
  await writeFile(schema, JSON.stringify({ Table: table }));
  const data = join(folder, tableNames.FILES_TABLE, 'data');
  await mkdir(data, { recursive: true });
  const archive = createWriteStream(join(data, 'files.json.gz'));
  await pipeline(Readable.from(linesOf(files)), createGzip({ level: 1 }), archive);
  const options = ['--source', folder, '--schema', schema, '--output', database];
  await promisify(execFile)(engineBinary(), ['import', ...options]);
  return database;
};

/** Lets `use` work with an engine of its own: the records, and more `files` of the space `handbook` if given. */
export const withFixture = async <Result>(
  use: (fixture: Fixture) => Promise<Result>,
  files?: Iterable<object>,
): Promise<Result> => {
  const folder = await mkdtemp(join(tmpdir(), 'space-files-bench-'));
  try {
    const { endpoint, stop } = await startEngine(files && { dbPath: await importFiles(folder, files) });
    try {
      const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
      const client = new DynamoDBClient({ endpoint, region: 'us-east-1', credentials });
      const tables = await createTables(client);
      await loadData(client, tables, records);
      client.destroy();
      const environment = { ...lambdaEnvironment, ...tables, AWS_ENDPOINT_URL_DYNAMODB: endpoint };
      return await use({ endpoint, environment, folder });
    } finally {
      await stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
