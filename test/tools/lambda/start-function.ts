import { on, once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createInterface } from 'node:readline';
import { json, text } from 'node:stream/consumers';
import { inject } from 'vitest';
import { settingsFor } from '#test/support/endpoint.ts';
import { spawnBound } from '#tools/dev-server/engine.ts';
import { listen } from '#tools/dev-server/listen.ts';
import { clientFile } from './setup.ts';

const variables = (folder: string) => ({
  _HANDLER: 'dist/update-file.handler',
  LAMBDA_TASK_ROOT: folder,
  AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
  AWS_LAMBDA_FUNCTION_NAME: 'updateFile',
  AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '512',
  AWS_LAMBDA_LOG_GROUP_NAME: '/aws/lambda/updateFile',
  AWS_LAMBDA_LOG_STREAM_NAME: 'local',
});

/**
 * A process as Lambda starts it: AWS's runtime client, the unpacked zip, and no other environment variables. It has a
 * Runtime API of its own on a free port, because the last poll of a process that was killed would take the next event.
 */
export const startFunction = async (folder: string, tables: Readonly<Record<string, string>>) => {
  const api = createServer();
  const end = new AbortController();
  // The client sends one request after the other. Waiting for the next one fails when its process has ended.
  const requests = on(api, 'request', { signal: end.signal });
  const nextRequest = async (): Promise<[IncomingMessage, ServerResponse]> => {
    const { value: [request, reply] = [] } = await requests.next();
    return [request, reply];
  };
  const runtime = { AWS_LAMBDA_RUNTIME_API: `127.0.0.1:${await listen(api)}` };
  const { child } = spawnBound(process.execPath, [clientFile], {
    cwd: folder,
    env: { ...variables(folder), ...settingsFor(inject('endpoint')), ...tables, ...runtime },
  });
  const lines: string[] = [];
  const output = createInterface({ input: child.stdout });
  output.on('line', (line) => void lines.push(line));
  const stderr = text(child.stderr);
  const ended = once(child, 'close').then(async ([code]) => {
    api.closeAllConnections();
    api.close();
    end.abort(new Error(`ended with ${code}: ${await stderr}`));
    return code;
  });
  /** What the client reports next, for example that the function cannot be loaded. */
  const nextReport = async () => {
    const [request, reply] = await nextRequest();
    const body = await json(request);
    reply.writeHead(202).end();
    return { path: request.url?.replace('/2018-06-01/runtime/', ''), body };
  };
  return {
    nextReport,
    /** Sends an event. `remainingMs` is what the function is told it has left. */
    invoke: async (event: unknown, remainingMs: number): Promise<unknown> => {
      const [, poll] = await nextRequest();
      poll.writeHead(200, {
        'content-type': 'application/json',
        'lambda-runtime-aws-request-id': 'aws-request-1',
        'lambda-runtime-deadline-ms': Date.now() + remainingMs,
        'lambda-runtime-invoked-function-arn': 'arn:aws:lambda:us-east-1:000000000000:function:updateFile',
      });
      poll.end(JSON.stringify(event));
      const { path, body } = await nextReport();
      if (path === 'invocation/aws-request-1/response') return body;
      throw new Error(`${path}: ${JSON.stringify(body)}`);
    },
    /** All lines that it printed. */
    lines,
    /** The lines after the first `count`, as soon as there is one: the pipe may be slower than the response. */
    linesAfter: async (count: number): Promise<readonly string[]> => {
      while (lines.length <= count) await once(output, 'line');
      return lines.slice(count);
    },
    stderr,
    ended,
    stop: async () => {
      child.kill();
      await ended;
    },
  };
};
