import { join } from 'node:path';
import { buildBundle } from '#tools/build/bundle.ts';
import { parseOptions, runCommand, UsageError } from '#tools/cli.ts';
import { bundleFile } from '#tools/project.ts';
import { readData } from './data.ts';
import { openDatabase } from './database.ts';
import { createDocsPage } from './docs-page.ts';
import { removeState, writeState } from './environment.ts';
import { exampleRequests } from './examples.ts';
import { startGateway } from './gateway.ts';
import { routeKey } from './http-event.ts';
import { loadFunction } from './lambda.ts';
import { createRequestLog } from './request-log.ts';
import { readService } from './service.ts';

const usage = `Usage: npm start -- [options]

  --port N     listen on http://localhost:N (default 3000; 0 chooses a free port)
  --data FILE  load this JSON file instead of the demo data
  --db FILE    keep the data in this file after a restart
  --log        also print the log of the function, as in CloudWatch
  --help       show this text

If AWS_ENDPOINT_URL_DYNAMODB is set, that DynamoDB is used instead of the embedded engine.
`;

const parentCheckMs = 500;

const readOptions = () => {
  const { port, data, db, ...flags } = parseOptions(process.argv.slice(2), 'npm start', {
    port: { type: 'string', default: '3000' },
    data: { type: 'string' },
    db: { type: 'string' },
    log: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  });
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    throw new UsageError('--port must be a number from 0 to 65535.');
  }
  if (data === '' || db === '') throw new UsageError('--data and --db must name a file.');
  return { port: Number(port), data, db, ...flags };
};

/** What to undo before the process ends, the last step first. */
const cleanup: (() => Promise<void> | void)[] = [];

const cleanUp = async (): Promise<void> => {
  for (const step of cleanup.splice(0).reverse()) await step();
};

let isStopping = false;
const stop = async (exitCode: number): Promise<void> => {
  if (isStopping) return;
  isStopping = true;
  await cleanUp();
  process.exit(exitCode);
};

const start = async ({ port, data: dataFile, db, log }: ReturnType<typeof readOptions>): Promise<void> => {
  // npm changes to the folder of package.json; --data and --db are relative to the folder of the user.
  const { INIT_CWD: folder, npm_lifecycle_event: script } = process.env;
  if (script === 'start' && folder !== undefined) process.chdir(folder);

  const isDemo = dataFile === undefined;
  const data = readData(dataFile ?? join(import.meta.dirname, 'demo-data.json'));
  await buildBundle();
  const database = await openDatabase({ data, isDemo, db });
  if (database.stop) cleanup.push(database.stop);
  database.exited?.then(() => {
    if (!isStopping) process.stderr.write('The embedded DynamoDB engine has ended. Start again.\n');
    return stop(1);
  });

  const { functionOutput, onResponse } = createRequestLog(process.stdout, log);
  const gateway = await startGateway({
    lambda: loadFunction(bundleFile, functionOutput),
    service: readService(),
    port,
    report: (line) => void process.stderr.write(`${line}\n`),
    servePage: createDocsPage(isDemo),
    onResponse,
  });
  cleanup.push(gateway.close);
  writeState({ endpoint: database.endpoint, tables: database.tables });
  cleanup.push(removeState);

  const url = `http://localhost:${gateway.port}`;
  const seconds = (performance.now() / 1000).toFixed(1);
  const lines = [
    `space-files is ready at ${url} after ${seconds} s (${database.description})`,
    `It serves ${routeKey}. Press Ctrl-C to stop it.`,
    `Try it in a browser: ${url}/docs`,
    '',
    ...(isDemo ? exampleRequests(url) : []),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
};

await runCommand(async () => {
  const options = readOptions();
  if (options.help) return void process.stdout.write(usage);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(0));
  // npm sends SIGTERM to a shell in between, which ends without passing it on: only our parent process changes.
  const parent = process.env['npm_lifecycle_event'] === 'start' ? process.ppid : undefined;
  if (parent !== undefined) setInterval(() => process.ppid !== parent && stop(0), parentCheckMs).unref();
  try {
    await start(options);
  } catch (error) {
    isStopping = true;
    await cleanUp();
    throw error;
  }
});
