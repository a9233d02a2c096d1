import { join } from 'node:path';
import { buildBundle } from '#local/build/bundle.ts';
import { readData } from '#local/data/read-data.ts';
import { createDocsFiles } from '#local/docs-ui/docs-files.ts';
import { createDocsFront } from '#local/docs-ui/docs-front.ts';
import { createGateway } from '#local/gateway/gateway.ts';
import { loadFunction } from '#local/gateway/lambda-function.ts';
import { listen } from '#local/gateway/listen.ts';
import { routeKey } from '#local/gateway/route.ts';
import { readService } from '#local/service/service.ts';
import { examplesFor } from '#local/start/examples.ts';
import { createFunctionLog } from '#local/start/function-log.ts';
import { openDatabase } from '#local/start/open-database.ts';
import { createRequestLog } from '#local/start/request-log.ts';
import { createShutdown, type Shutdown, shutDownOnSignals } from '#local/start/shutdown.ts';
import { readStartOptions, type StartOptions, startUsage } from '#local/start/start-options.ts';
import { removeState, writeState } from '#local/start/state-file.ts';
import { runCommand } from './command.ts';
import { bundleFile, projectRoot } from './project.ts';

const start = async (options: StartOptions, shutdown: Shutdown): Promise<void> => {
  followUsersFolder();
  const data = await readData(options.data ?? join(projectRoot, 'local', 'demo-data.json'));
  await buildBundle();
  const database = await openDatabase(options, data, shutdown);

  const showKeys = options.data === undefined;
  const front = createDocsFront(createDocsFiles(data, { showKeys }));
  const log = createFunctionLog((line) => void (options.log && process.stdout.write(line)));
  const gateway = {
    lambda: loadFunction(bundleFile, log.stdout),
    service: readService(),
    report,
    front,
    answered: createRequestLog(process.stdout, log),
  };
  const { port, close } = await listen(() => createGateway(gateway), options.port);
  shutdown.add(close);
  writeState({ endpoint: database.endpoint, tables: database.tables, pid: process.pid, port });
  shutdown.add(removeState);

  const baseUrl = `http://localhost:${port}`;
  const seconds = (performance.now() / 1000).toFixed(1);
  const examples = examplesFor(data, baseUrl, { showKeys });
  process.stdout.write(
    [
      `space-files is ready at ${baseUrl} after ${seconds} s (${database.description})`,
      `It serves ${routeKey}; Ctrl-C stops it.`,
      `Try it in a browser: ${baseUrl}/docs`,
      ...(!showKeys && examples.length > 0 ? ['', 'Put the plain API key into $API_KEY.'] : []),
      ...examples.flatMap(({ says, command }) => ['', says, command]),
      '',
      '',
    ].join('\n'),
  );
};

const report = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

/** npm runs a script in the project's folder; files on the command line are meant from where the user stands. */
const followUsersFolder = (): void => {
  const { INIT_CWD: folder, npm_lifecycle_event: script } = process.env;
  if (script === 'start' && folder !== undefined) process.chdir(folder);
};

/** `npm start`: builds the function and serves its route until it is told to stop. */
await runCommand(async () => {
  const options = readStartOptions(process.argv.slice(2));
  if (options.help) {
    process.stdout.write(startUsage);
    return;
  }
  const shutdown = createShutdown();
  shutDownOnSignals(shutdown);
  try {
    await start(options, shutdown);
  } catch (error) {
    await shutdown.run();
    throw error;
  }
});
