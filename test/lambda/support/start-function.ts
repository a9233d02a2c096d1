import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Config } from '#lib/runtime/deps.ts';
import { settingsFor } from '#test/support/endpoint.ts';
import type { Deployed } from './deployed.ts';
import { readPrinted } from './printed.ts';
import { startRuntimeApi } from './runtime-api.ts';
import { runtimeClient } from './runtime-client.ts';

type Options = {
  readonly deployed: Deployed;
  readonly endpoint: string;
  readonly tables: Readonly<Record<string, string>>;
};

/** The environment variables that name the tables. */
export const tableVariables = (config: Config) => ({
  API_KEYS_TABLE: config.apiKeysTable,
  SPACES_TABLE: config.spacesTable,
  FILES_TABLE: config.filesTable,
});

const variablesOf = ({ folder, handler, memorySize }: Deployed) => ({
  _HANDLER: handler,
  LAMBDA_TASK_ROOT: folder,
  AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
  AWS_LAMBDA_FUNCTION_NAME: 'updateFile',
  AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memorySize),
  AWS_LAMBDA_LOG_GROUP_NAME: '/aws/lambda/updateFile',
  AWS_LAMBDA_LOG_STREAM_NAME: 'local',
});

/** A process as Lambda starts it: AWS's runtime client with the unpacked zip, and an environment of nothing else. */
export const startFunction = async ({ deployed, endpoint, tables }: Options) => {
  const { address, close, ...api } = await startRuntimeApi();
  const child = spawn(process.execPath, [runtimeClient.file], {
    cwd: deployed.folder,
    env: {
      ...variablesOf(deployed),
      ...settingsFor(endpoint),
      ...tables,
      AWS_LAMBDA_RUNTIME_API: address,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed = readPrinted(child);
  const ended = once(child, 'close').then(([code]) => {
    close();
    return code;
  });
  const untilEnded = ended.then(async (code) => {
    throw new Error(`the process ended with ${code}: ${await printed.complaints}`);
  });
  untilEnded.catch(() => undefined);
  return {
    ...printed,
    /** Both reject when the process ends instead. */
    ready: () => Promise.race([api.ready, untilEnded]),
    initError: () => Promise.race([api.initError, untilEnded]),
    /** Settles with the exit code. */
    ended,
    invoke: (event: unknown, remainingMs = deployed.timeout * 1000) =>
      Promise.race([api.invoke(event, remainingMs), untilEnded]),
    /** The most memory it ever held, in MB. */
    peakMemory: () => {
      const [, kilobytes] =
        /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? [];
      return Number(kilobytes) / 1024;
    },
    stop: async () => {
      child.kill();
      await ended;
    },
  };
};
export type LambdaFunction = Awaited<ReturnType<typeof startFunction>>;
