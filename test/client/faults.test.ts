import fc from 'fast-check';
import { beforeEach, expect, test, vi } from 'vitest';
import { createClient } from '#client/client.ts';
import { anEvent } from '#test/support/event.ts';
import { aFile, anApiKey, aSpace } from '#test/support/given.ts';
import { apiKeyRecord, startService } from '#test/support/service.ts';
import { createTables } from '#test/support/simulated-tables.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }).setTimerTickMode('nextTimerAsync');
});

const { key: apiKey, tenantId } = anApiKey();
const { spaceId, fileId } = aFile();
const refused = { code: 'ECONNREFUSED', syscall: 'connect' };
const failsWith = (cause: object) => () => {
  throw new TypeError('fetch failed', { cause });
};
const gateway = (status: number) => () => new Response('<h1>No</h1>', { status });
const cutBody = (error: unknown) => new Response(new ReadableStream({ start: (body) => body.error(error) }));

type Send = () => Promise<Response>;
/** Aborts the signal of the caller, and gives the error that fetch then throws. */
type Abort = () => unknown;
const before = (respond: () => Response) => async () => respond();
const after = (respond: () => Response) => async (send: Send) => {
  await send();
  return respond();
};
/** What happens to a request between the client and the service. */
const faults = {
  none: (send: Send) => send(),
  'throttled by the gateway': before(gateway(429)),
  'rejected by the gateway': before(gateway(403)),
  'refused connection': before(failsWith(refused)),
  'request lost': before(failsWith({ code: 'ECONNRESET', syscall: 'write' })),
  'not sent on by the gateway': before(gateway(503)),
  'response lost': after(failsWith({ code: 'ECONNRESET', syscall: 'read' })),
  'response cut off': after(() => cutBody(new TypeError('terminated'))),
  'response of a proxy': after(gateway(200)),
  'too late for the gateway': after(gateway(504)),
  'too late for a proxy': after(gateway(408)),
  'aborted before it is sent': async (_: Send, abort: Abort) => {
    throw abort();
  },
  'aborted before the response': async (send: Send, abort: Abort) => {
    const response = send();
    abort();
    return response;
  },
  'aborted with the response': async (send: Send, abort: Abort) => {
    await send();
    throw abort();
  },
  'aborted in the body': async (send: Send, abort: Abort) => {
    await send();
    return cutBody(abort());
  },
};
const fault = fc.constantFrom(...Object.values(faults));
/** The etag of the file, another one, or none. */
const etag = fc.constantFrom('"0"', '"1"', undefined);

const selfCaused = new Error('enough');
selfCaused.cause = selfCaused;
/** What the caller aborts with, and after how many milliseconds at the latest. */
const reason = fc.constantFrom('enough', new TypeError('fetch failed', { cause: refused }), selfCaused);
const abortMs = fc.option(fc.nat(2000));

/** 100,000 with the HISTORIES of `.ci/run long-search`, for example. */
const numRuns = Number(process.env['HISTORIES'] ?? 10_000) / 10;

test('updateFile never claims the opposite of what happened', async () => {
  const tables = createTables();
  tables.put('apiKeys', apiKeyRecord());
  tables.put('spaces', aSpace());
  const service = startService(tables);
  const { updateFile } = createClient({ baseUrl: 'http://x', apiKey, tenantId, userId: 'grace' });
  const claims = new Set<string>();

  const given = fc.record({ faults: fc.array(fault, { maxLength: 4 }), ifMatch: etag, reason, abortMs });
  const property = fc.asyncProperty(given, async ({ faults: [...left], ifMatch, reason, abortMs }) => {
    tables.put('files', aFile({ summary: 'Before.' }));
    const caller = new AbortController();
    const timer = abortMs === null ? undefined : setTimeout(() => caller.abort(reason), abortMs);
    const sent: Promise<Response>[] = [];
    let writes = 0;
    vi.stubGlobal('fetch', (_: unknown, { headers, body, signal }: RequestInit) => {
      const abort = () => {
        caller.abort(reason);
        return signal?.reason;
      };
      const deliver = async () => {
        const event = anEvent({ headers: Object.fromEntries(new Headers(headers)), body: `${body}` });
        const { response } = await service(event);
        if (response.statusCode === 200 && !response.headers['idempotency-replayed']) writes += 1;
        return new Response(response.body, { status: response.statusCode, headers: response.headers });
      };
      const send = () => {
        const response = deliver();
        sent.push(response);
        return response;
      };
      const aborted = new Promise<never>((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason));
      });
      return Promise.race([aborted, (left.shift() ?? faults.none)(send, abort)]);
    });
    const { signal } = caller;
    const result = await updateFile({ spaceId, fileId, patch: { summary: 'After.' }, ifMatch, signal });
    clearTimeout(timer);
    // One that was aborted may take effect later.
    await Promise.all(sent);
    const isApplied = tables.get('files', aFile())?.['summary'] === 'After.';
    const claim = result.ok || (result.error.mayBeApplied ? 'unknown' : false);
    claims.add(`${claim}, ${isApplied}`);
    if (claim !== 'unknown') expect(claim).toBe(isApplied);
    expect(writes).toBe(isApplied ? 1 : 0);
  });
  await fc.assert(property, { numRuns, seed: 1 });
  expect(claims).toEqual(new Set(['false, false', 'true, true', 'unknown, false', 'unknown, true']));
});
