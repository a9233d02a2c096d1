import { expect, test, vi } from 'vitest';
import { createClient } from '#client/client.ts';
import { FILE_ID } from '#test/support/given.ts';
import { startServer } from '#test/support/server.ts';

const refused = { code: 'ECONNREFUSED', syscall: 'connect' };
const selfCaused = new Error('enough');
selfCaused.cause = selfCaused;
const secret = (): never => {
  throw new Error('secret');
};
/** What callers abort with. Some look like errors of fetch that prove that nothing was sent. */
const reasons: Readonly<Record<string, unknown>> = {
  'no reason': undefined,
  null: null,
  'a string': 'enough',
  'an error': new Error('enough'),
  'a timeout': new DOMException('', 'TimeoutError'),
  'an error of Node': Object.assign(new Error('connect'), refused),
  'an error of fetch': new TypeError('fetch failed', { cause: refused }),
  'an error of fetch for each address': new TypeError('fetch failed', {
    cause: { errors: [refused, refused] },
  }),
  'its own cause': selfCaused,
  'a getter that throws': Object.defineProperty({}, 'cause', { get: secret }),
  'a proxy that throws': new Proxy({}, { get: secret, has: secret }),
};

type Send = () => Promise<Response>;
type Moment = (send: Send, abort: () => void) => Promise<Response>;
/** When fetch is called, and what the server does, until the signal is aborted. */
const moments: Readonly<Record<string, Moment>> = {
  'as soon as it is sent': (send, abort) => {
    const response = send();
    abort();
    return response;
  },
  'before the response': (send) => send(),
  'with the head of the response': async (send, abort) => {
    const response = await send();
    abort();
    return response;
  },
  'in the body of the response': async (send, abort) => {
    const response = await send();
    const text = async () => {
      const body = Response.prototype.text.call(response);
      abort();
      return body;
    };
    return Object.assign(response, { text });
  },
};

const rows = Object.keys(moments).flatMap((moment) =>
  Object.keys(reasons).map((reason) => [moment, reason] as const),
);
test.each(rows)('an update that is aborted %s, with %s, may be applied', async (moment, name) => {
  const reason = reasons[name];
  const controller = new AbortController();
  const abort = () => controller.abort(reason);
  const server = await startServer((response) => {
    if (moment === 'before the response') abort();
    else response.writeHead(200, { etag: '"1"' }).write('{');
  });
  const send = fetch;
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => moments[moment]?.(() => send(url, init), abort));
  const caller = { apiKey: 'k', tenantId: 't', userId: 'u' };
  const { updateFile } = createClient({ baseUrl: server.endpoint, ...caller, maxAttempts: 1 });
  const { signal } = controller;
  const result = await updateFile({ spaceId: 's', fileId: FILE_ID, patch: { summary: null }, signal });
  if (result.ok || result.error.code !== 'aborted') expect.unreachable();
  const { code, retryable, mayBeApplied, cause } = result.error;
  expect([code, retryable, mayBeApplied]).toStrictEqual(['aborted', false, true]);
  expect(Object.is(cause, signal.reason)).toBe(true);
});
