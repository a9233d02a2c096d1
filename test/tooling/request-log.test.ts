import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { WriteStream } from 'node:tty';
import { afterEach, expect, test, vi } from 'vitest';
import { createRequestLog } from '#tools/dev-server/request-log.ts';

afterEach(() => vi.unstubAllEnvs());

/** What is printed for a response, after the function has written its lines. */
const printedFor = (
  lines: readonly string[],
  { status = 200, url = '/v1', terminal = false, showFunctionLog = false } = {},
) => {
  const { getColorDepth } = WriteStream.prototype;
  const output = Object.assign(new PassThrough(), terminal ? { isTTY: true, getColorDepth } : {});
  const { functionOutput, onResponse } = createRequestLog(output, showFunctionLog);
  for (const line of lines) functionOutput.write(line);
  const request = Object.assign(new IncomingMessage(new Socket()), { method: 'PATCH', url });
  const response = new ServerResponse(request);
  response.statusCode = status;
  response.setHeader('x-request-id', 'one');
  onResponse(request, response, 12.4);
  return String(output.read());
};

const updated = '{"requestId":"one","outcome":"updated"}\n';
const rejected = '{"requestId":"one","outcome":"file-not-found","reason":"\\u001b[2J\\n"}\n';

test.each([
  ['the outcome', [updated], {}, 'PATCH /v1  200  12 ms  updated\n'],
  [
    'the reason, without control characters',
    [rejected],
    { status: 404 },
    'PATCH /v1  404  12 ms  file-not-found: ?[2J?\n',
  ],
  [
    'a response of the gateway',
    ['no JSON\n', '{"requestId":"other","outcome":"updated"}\n'],
    { status: 404 },
    'PATCH /v1  404  12 ms  Not Found (from the gateway)\n',
  ],
  [
    'a long path',
    [updated],
    { url: `/${'x'.repeat(200)}` },
    `PATCH /${'x'.repeat(99)}…  200  12 ms  updated\n`,
  ],
  ['--log', [updated], { showFunctionLog: true }, `${updated}PATCH /v1  200  12 ms  updated\n`],
])('one line per request: %s', (_, lines, options, expected) => {
  expect(printedFor(lines, options)).toBe(expected);
});

test.each([
  [200, 32],
  [404, 33],
  [500, 31],
])('status %i has its color on a terminal, and none with NO_COLOR', (status, color) => {
  vi.stubEnv('FORCE_COLOR', undefined);
  vi.stubEnv('NO_COLOR', undefined);
  vi.stubEnv('TERM', 'xterm-256color');
  expect(printedFor([updated], { status, terminal: true })).toContain(`\u001b[${color}m${status}\u001b[39m`);
  vi.stubEnv('NO_COLOR', '1');
  expect(printedFor([updated], { status, terminal: true })).toBe(`PATCH /v1  ${status}  12 ms  updated\n`);
});
