import { globSync, readFileSync, watch } from 'node:fs';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { parse } from 'yaml';
import * as z from 'zod';
import { FileViewSchema } from '#lib/domain/file.ts';
import { buildFunctions } from '#tools/bundle/bundle.ts';
import { enterUserFolder, hasCode, readArguments, reasonOf, runCommand, UsageError } from '#tools/cli.ts';
import { type LambdaFunction, type LambdaResponse, loadFunction } from '#tools/lambda.ts';
import { distFolder, projectRoot } from '#tools/project.ts';
import { readServerlessConfig } from '#tools/serverless-config.ts';
import { type Data, loadData, readData, refusePublicKeys, warnOfMissingSpaces } from '#tools/tables/data.ts';
import {
  applyEnvironment,
  customEnvironment,
  engineEnvironment,
  isLocal,
  publishDatabase,
  readTableNames,
} from '#tools/tables/environment.ts';
import { checkEngine, createTables } from '#tools/tables/tables.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { startEngine } from './engine.ts';
import { startGateway } from './gateway.ts';

const usage = `Usage: npm start -- [options]

  --port N     listen on http://localhost:N (default 3000; 0 chooses a free port)
  --data FILE  load this JSON file instead of the demo data
  --db FILE    keep the data in this file after a restart
  --demo       load the demo data into the DynamoDB of AWS_ENDPOINT_URL_DYNAMODB too
  --watch      build and load the function again when a file of lib/ or handlers/ is saved
  --log        also print the log of the function, as in CloudWatch
  --help       show this text

If AWS_ENDPOINT_URL_DYNAMODB is set, that DynamoDB is used instead of the embedded engine. API_KEYS_TABLE, SPACES_TABLE
and FILES_TABLE name the tables. Tables that do not exist are created.
`;

const parentCheckMs = 500;

const MessageSchema = z.object({ message: z.string() });
const LineSchema = z.object({ requestId: z.string(), outcome: z.string(), reason: z.string().optional() });

/**
 * The fields that a message of `patch-invalid` names, in words. The name of a field that a file does not have is the
 * caller's text: it is only counted.
 */
const fieldsIn = (message: string): string => {
  const own = new Set<string>();
  let unknown = 0;
  for (const part of message.split('; ')) {
    const [, quoted, name = ''] = /^([a-z ]+ ")?(\w*)/i.exec(part) ?? [];
    if (Object.hasOwn(FileViewSchema.shape, name)) own.add(name);
    else if (quoted) unknown += 1;
  }
  return [...own, ...(unknown > 0 ? [`${unknown} unknown`] : [])].join(', ');
};

/**
 * Prints one line per request, with the outcome from the function's own log:
 * `PATCH /v1/spaces/handbook/files/1  200  12 ms  updated`.
 *
 * @param showFunctionLog whether to print the lines of the function too
 */
const createRequestLog = (showFunctionLog: boolean) => {
  const outcomes = new Map<string, string>();
  const functionOutput = new Writable({
    write: (chunk, _, done) => {
      const { requestId, outcome, reason } = LineSchema.parse(JSON.parse(String(chunk)));
      outcomes.set(requestId, reason === undefined ? outcome : `${outcome}: ${reason}`);
      if (showFunctionLog) process.stdout.write(chunk);
      done();
    },
  });
  const onResponse = (
    { method, url }: IncomingMessage,
    { statusCode, headers, body }: LambdaResponse,
    ms: number,
  ): void => {
    const { 'x-request-id': requestId = '', 'x-error-code': code } = headers;
    const outcome = outcomes.get(requestId) ?? `${STATUS_CODES[statusCode]} (from the gateway)`;
    outcomes.delete(requestId);
    const named =
      code === 'patch-invalid' ? `: ${fieldsIn(MessageSchema.parse(JSON.parse(body)).message)}` : '';
    process.stdout.write(`${method} ${url}  ${statusCode}  ${ms.toFixed(0)} ms  ${outcome}${named}\n`);
  };
  return { functionOutput, onResponse };
};

/** Swagger UI at /docs, which shows openapi.yaml and sends requests. Serves GET of its own files, and leads / there. */
const createDocsPage = () => {
  const description: object = parse(readFileSync(join(projectRoot, 'openapi.yaml'), 'utf8'));
  const swaggerUiFolder = import.meta.resolve('swagger-ui-dist/package.json');
  const swaggerUi = (name: string) => readFileSync(new URL(name, swaggerUiFolder));
  const files = new Map<string, [type: string, content: Buffer | string]>([
    ['/docs', ['text/html', readFileSync(join(import.meta.dirname, 'docs-page.html'))]],
    ['/docs/swagger-ui.css', ['text/css', swaggerUi('swagger-ui.css')]],
    ['/docs/swagger-ui-bundle.js', ['text/javascript', swaggerUi('swagger-ui-bundle.js')]],
    ['/docs/openapi.json', ['application/json', JSON.stringify({ ...description, servers: [{ url: '/' }] })]],
  ]);
  return ({ method, url = '' }: IncomingMessage, response: ServerResponse): boolean => {
    if (method === 'GET' && url === '/') {
      response.writeHead(302, { location: '/docs' }).end();
      return true;
    }
    const [type, content] = (method === 'GET' && files.get(url)) || [];
    if (type === undefined) return false;
    response.setHeader('content-type', type).end(content);
    return true;
  };
};

/** An editor writes a file in several steps, and a formatter writes it again. */
const quietMs = 100;

/** Each folder by itself: Node's recursive watch loses a file once another is renamed over it. */
const watchFolders = (onEvent: () => void): (() => void) => {
  const folders = globSync('{handlers,lib}/**/', { cwd: projectRoot });
  const watchers = folders.map((folder) => watch(join(projectRoot, folder), onEvent));
  return () => {
    for (const watcher of watchers) watcher.close();
  };
};

/** Calls back after each change of the function's source. Never two calls at once; the last one sees all changes. */
const watchSources = (onChange: () => Promise<void>): void => {
  let done = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const schedule = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      // There may be new folders. The call sees what has changed in them before.
      unwatch();
      unwatch = watchFolders(schedule);
      done = done.then(onChange);
    }, quietMs);
  };
  let unwatch = watchFolders(schedule);
};

/** Sets the environment of this process for an embedded engine that it starts. Returns the address of the engine. */
const openEngine = async (dbPath: string | undefined): Promise<string> => {
  const engine = await startEngine(dbPath);
  engine.exited.then(() => {
    process.stderr.write('The embedded DynamoDB engine has ended. Start again.\n');
    process.exit(1);
  });
  applyEnvironment(engineEnvironment(engine.endpoint));
  return engine.endpoint;
};

/** A request that updates the first file, as a command. Only the demo data has keys that a terminal may show. */
const demoRequest = (service: string, { apiKeys: [apiKey], files: [file] }: Data): string =>
  `    curl -i -X PATCH ${service}/v1/spaces/${file?.['spaceId']}/files/${file?.['fileId']} \\
      -H 'content-type: application/json' -H 'x-api-key: ${apiKey?.['key']}' \\
      -H 'x-tenant-id: ${apiKey?.['tenantId']}' -H 'x-user-id: grace' -d '{"summary": "What to do in the first week."}'`;

const readPort = (text: string): number => {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new UsageError('--port must be a number from 0 to 65535.');
};

const start = async (): Promise<void> => {
  const { values } = readArguments({
    options: {
      port: { type: 'string', default: '3000' },
      data: { type: 'string' },
      db: { type: 'string' },
      demo: { type: 'boolean', default: false },
      watch: { type: 'boolean', default: false },
      log: { type: 'boolean', default: false },
    },
  });
  enterUserFolder('start');
  const port = readPort(values.port);
  const given = process.env['AWS_ENDPOINT_URL_DYNAMODB'];
  if (given && values.db !== undefined) throw new UsageError('--db needs the embedded engine.');

  const usesDemo = values.data === undefined && (!given || values.demo);
  const file = usesDemo ? join(import.meta.dirname, '..', 'tables', 'demo-data.json') : values.data;
  const data = file === undefined ? undefined : readData(file);
  if (given && data) refusePublicKeys(given, data);
  if (data) process.stderr.write(warnOfMissingSpaces(data));
  const { functionOutput, onResponse } = createRequestLog(values.log);
  const loadFunctions = (): ReadonlyMap<string, LambdaFunction> =>
    new Map(
      readServerlessConfig().functions.map(({ name, file }) => [
        name,
        loadFunction(join(distFolder, `${file}.cjs`), functionOutput),
      ]),
    );
  // Requests wait until the functions are loaded for the first time.
  const loaded = Promise.withResolvers<ReadonlyMap<string, LambdaFunction>>();
  let lambdas = loaded.promise;
  // Before anything slow: the port may be in use.
  const gateway = await startGateway({
    lambda: async (event, context, name) => (await lambdas).get(name)?.(event, context),
    port,
    report: (line) => void process.stderr.write(`${line}\n`),
    servePage: createDocsPage(),
    onResponse,
  }).catch((error: unknown) => {
    if (!(hasCode(error, 'EADDRINUSE') && 'address' in error)) throw error;
    throw new UsageError(
      `The port ${port} is in use at ${error.address}: use \`--port N\`, for example \`npm start -- --port 0\`.`,
    );
  });
  await buildFunctions();
  if (given) applyEnvironment(customEnvironment());
  const endpoint = given || (await openEngine(values.db));
  const client = new DynamoDBClient();
  const tables = readTableNames();
  await createTables(client, tables);
  if (given && isLocal(given)) await checkEngine(client, tables);
  if (data) await loadData(client, tables, data);
  applyEnvironment(tables);

  loaded.resolve(loadFunctions());
  const service = `http://localhost:${gateway.port}`;
  publishDatabase({ service, endpoint, isEmbedded: !given, tables });

  const more = usesDemo && data ? `, or in a shell:\n\n${demoRequest(service, data)}\n\n` : '. ';
  process.stdout.write(`space-files ${packageJson.version} is ready at ${service} (DynamoDB at ${endpoint})
Try it at ${service}/docs${more}Press Ctrl-C to stop it.

`);
  if (!values.watch) return;
  watchSources(async () => {
    try {
      await buildFunctions();
      lambdas = Promise.resolve(loadFunctions());
      process.stdout.write('The function is built and loaded again.\n');
    } catch (error) {
      process.stderr.write(`The function runs as it was before: ${reasonOf(error)}\n`);
    }
  });
};

await runCommand(usage, async () => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(0));
  // npm sends SIGTERM to a shell in between, which ends without passing it on: only our parent process changes.
  const parent = process.env['npm_lifecycle_event'] === 'start' ? process.ppid : undefined;
  if (parent !== undefined)
    setInterval(() => process.ppid !== parent && process.exit(0), parentCheckMs).unref();
  await start();
});
