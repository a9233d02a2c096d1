import { on, once } from 'node:events';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { json, text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { runAsEvent, type Sender } from '#test/requests/as-event.ts';
import { byHand } from '#test/requests/cases/by-hand.ts';
import { FIRST_VERSION } from '#test/support/fixtures.ts';
import { settingsFor, temporaryFolder } from '#test/support/processes.ts';
import { seed } from '#test/support/simulated-tables.ts';
import { openTables } from '#test/support/tables.ts';
import { spawnBound } from '#tools/dev-server/engine.ts';
import { ResponseSchema } from '#tools/lambda.ts';
import { listen } from '#tools/listen.ts';
import { readServerlessConfig } from '#tools/serverless-config.ts';
import { clientFile } from './setup.ts';

const deployed = inject('deployed');
const tables = await openTables('lambda');

const variables = (folder: string) => ({
  _HANDLER: 'dist/update-file.handler',
  LAMBDA_TASK_ROOT: folder,
  AWS_EXECUTION_ENV: `AWS_Lambda_${readServerlessConfig().runtime}`,
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
const startFunction = async (folder = deployed) => {
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
    env: { ...variables(folder), ...settingsFor(inject('endpoint')), ...tables.names, ...runtime },
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

const startedAt = Date.now() * 1000;
const isDrawn = (version: number) => version >= startedAt && version < Number.MAX_SAFE_INTEGER;
const fixVersion = (version: number) => (isDrawn(version) ? FIRST_VERSION : version);
/** Cases expect a fixed clock and id. Puts these in place of what a request drew from the real ones. */
const fixDrawnValues = (value: object) =>
  JSON.parse(
    JSON.stringify(value)
      .replace(/\b\d{16}\b/g, (version) => String(fixVersion(Number(version))))
      .replace(/(?<="x-request-id":")[\da-f-]{36}/g, 'request-1')
      .replace(/(?<="w1":")[\da-f]{16}(?=\.\.)/g, 'request1')
      .replace(/(?<="w1":"[^"]*\.)\w+(?=")/, (end) => fixVersion(Number.parseInt(end, 36)).toString(36)),
  );

/** The same in a line of the log. The build puts the hash of the bundle into that of an error. */
const fixLine = ({ bundle: _, ...line }: Record<string, unknown>) => ({
  ...line,
  requestId: 'request-1',
  awsRequestId: 'lambda-1',
  ms: 0,
});

describe('the deployed function', () => {
  let lambda: Awaited<ReturnType<typeof startFunction>>;
  beforeAll(async () => {
    await seed(tables);
    lambda = await startFunction();
    const [line = ''] = await lambda.linesAfter(0);
    expect(JSON.parse(line)).toMatchObject({ level: 'info', codeCache: 'absent' });
  });
  afterAll(async () => {
    await lambda.stop();
    expect(await lambda.stderr).toBe('');
  });

  const records = async () => fixDrawnValues(await tables.records());
  const sender: Sender = {
    tables: { ...tables, records },
    send: async (event, { remainingMs }) => {
      const before = lambda.lines.length;
      const response = ResponseSchema.strict().parse(await lambda.invoke(event, remainingMs));
      const [line = '', ...more] = await lambda.linesAfter(before);
      expect(more).toEqual([]);
      return {
        response: fixDrawnValues(response),
        line: fixLine(JSON.parse(line)),
        records: await records(),
        drawn: { requestId: 'request-1', version: FIRST_VERSION },
      };
    },
  };
  test.each(byHand)('$name', async (oneCase) => {
    await runAsEvent(sender, oneCase, oneCase.only === '1.0' ? '1.0' : '2.0');
  });
});

describe('a bundle that does not load', () => {
  const copy = temporaryFolder();
  afterAll(copy.remove);

  test.each([
    ['throws', "throw new TypeError('x y');", 'TypeError', 'x y'],
    ['is missing', undefined, 'Runtime.ImportModuleError', 'update-file.cjs'],
    ['is cut short', 'const handler = {', 'Runtime.UserCodeSyntaxError', 'SyntaxError'],
  ])('is reported and ends the process if it %s', async (name, source, errorType, message) => {
    const folder = join(copy.path, name);
    cpSync(deployed, folder, { recursive: true });
    const bundle = join(folder, 'dist', 'update-file.cjs');
    if (source === undefined) rmSync(bundle);
    else writeFileSync(bundle, source);
    const { nextReport, ended } = await startFunction(folder);
    const body = { errorType, errorMessage: expect.stringContaining(message) };
    expect(await nextReport()).toMatchObject({ path: 'init/error', body });
    expect(await ended).not.toBe(0);
  });
});
