import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { buildBundle } from '#tools/build/bundle.ts';
import { reasonOf, runCommand, UsageError } from '#tools/cli.ts';
import { bundleFile } from '#tools/project.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { loadData, readData } from './data.ts';
import { createDocsPage } from './docs-page.ts';
import { startEngine } from './engine.ts';
import { applyEnvironment, customEnvironment, engineEnvironment, publishDatabase } from './environment.ts';
import { startGateway } from './gateway.ts';
import { loadFunction } from './lambda.ts';
import { createRequestLog } from './request-log.ts';
import { createTables } from './tables.ts';
import { watchSources } from './watch.ts';

const usage = `Usage: npm start -- [options]

  --port N     listen on http://localhost:N (default 3000; 0 chooses a free port)
  --data FILE  load this JSON file instead of the demo data
  --db FILE    keep the data in this file after a restart
  --watch      build and load the function again when a file of lib/ or handlers/ is saved
  --log        also print the log of the function, as in CloudWatch
  --help       show this text

If AWS_ENDPOINT_URL_DYNAMODB is set, that DynamoDB is used instead of the embedded engine.
`;

const parentCheckMs = 500;

/** Sets the environment of this process for the user's endpoint, or for an embedded engine that it starts. */
const openEndpoint = async (dbPath: string | undefined, isDemo: boolean): Promise<string> => {
  const endpoint = process.env['AWS_ENDPOINT_URL_DYNAMODB'];
  if (!endpoint) {
    const engine = await startEngine(dbPath === undefined ? {} : { dbPath });
    engine.exited.then(() => {
      process.stderr.write('The embedded DynamoDB engine has ended. Start again.\n');
      process.exit(1);
    });
    applyEnvironment(engineEnvironment(engine.endpoint));
    return engine.endpoint;
  }
  if (dbPath !== undefined) throw new UsageError('--db needs the embedded engine.');
  if (isDemo && endpoint.includes('amazonaws.com')) {
    throw new UsageError(
      'The demo API keys are public. npm start does not load them into a DynamoDB on AWS.',
    );
  }
  applyEnvironment(customEnvironment());
  return endpoint;
};

const start = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '3000' },
      data: { type: 'string' },
      db: { type: 'string' },
      watch: { type: 'boolean', default: false },
      log: { type: 'boolean', default: false },
    },
  });
  // npm changes to the folder of package.json; --data and --db are relative to the folder of the user.
  const { INIT_CWD: folder, npm_lifecycle_event: script } = process.env;
  if (script === 'start' && folder !== undefined) process.chdir(folder);

  const data = readData(values.data ?? join(import.meta.dirname, 'demo-data.json'));
  await buildBundle();
  const endpoint = await openEndpoint(values.db, values.data === undefined);
  const client = new DynamoDBClient();
  const tables = await createTables(client);
  await loadData(client, tables, data);
  applyEnvironment(tables);

  const { functionOutput, onResponse } = createRequestLog(process.stdout, values.log);
  let lambda = loadFunction(bundleFile, functionOutput);
  const { port } = await startGateway({
    lambda: (...call) => lambda(...call),
    port: Number(values.port),
    report: (line) => void process.stderr.write(`${line}\n`),
    servePage: createDocsPage(),
    onResponse,
  });
  publishDatabase(endpoint, tables);

  process.stdout.write(`space-files ${packageJson.version} is ready at http://localhost:${port} (DynamoDB at ${endpoint})
Try it at http://localhost:${port}/docs. Press Ctrl-C to stop it.

`);
  if (!values.watch) return;
  watchSources(async () => {
    try {
      await buildBundle();
      lambda = loadFunction(bundleFile, functionOutput);
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
