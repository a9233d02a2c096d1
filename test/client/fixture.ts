import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeEach } from 'vitest';
import { type ClientOptions, createClient, type FileUpdate } from '#client/client.ts';
import { startStubGateway } from '#test/support/gateway.ts';
import { NOW } from '#test/support/given.ts';
import { seed } from '#test/support/seed.ts';
import { startService } from '#test/support/service.ts';
import { openTables, type Tables } from '#test/support/tables.ts';

/** What happens to one request. `deliver` sends it to the service, and resolves to the response. */
export type Turn = (response: ServerResponse, deliver: () => Promise<Response>) => void | Promise<void>;

export const turns = {
  pass: async (response, deliver) => {
    const delivered = await deliver();
    response.writeHead(delivered.status, Object.fromEntries(delivered.headers)).end(await delivered.text());
  },
  /** The connection is lost before the service has the request. */
  lostBefore: (response) => void response.destroy(),
  /** The connection is lost after the service has updated the file. */
  lostAfter: async (response, deliver) => {
    await deliver();
    response.destroy();
  },
  /** The response is cut off. */
  cutOff: async (response, deliver) => {
    await deliver();
    response.writeHead(200, { 'content-length': 1000 }).write('{"id":', () => response.destroy());
  },
  hang: () => undefined,
} satisfies Record<string, Turn>;

/** A response instead of the service's, which does not get the request. */
export const respond =
  (status: number, body: string, headers: Record<string, string> = {}): Turn =>
  (response) =>
    void response.writeHead(status, headers).end(body);

type Seen = { method: string; path: string; headers: IncomingHttpHeaders; body: string };

/**
 * The service over HTTP with the demo data of `npm start`, and a proxy in front of it. Each test begins with the demo
 * data. The clock and the ids are fixed.
 *
 * @param prefix separates the tables of one test file from those of the others
 */
export const useService = (prefix: string) => {
  let tables: Tables;
  const closers: (() => unknown)[] = [];
  let service: Awaited<ReturnType<typeof startStubGateway>>;
  beforeEach(async () => {
    tables = await openTables(prefix);
    await seed(tables);
    service = await startStubGateway(startService(tables).send);
    closers.push(service.close);
  });
  afterAll(() => Promise.all(closers.map((close) => close())));

  /** Starts a proxy that handles the requests by these turns, and passes the others on. */
  const start = async (...given: readonly Turn[]) => {
    const seen: Seen[] = [];
    const server = createServer(async (request, response) => {
      const { method = '', url: path = '', headers } = request;
      const body = String(await buffer(request));
      seen.push({ method, path, headers, body });
      const { host, connection, 'content-length': length, ...passed } = headers;
      const fields = Object.entries(passed).map(([name, value]): [string, string] => [name, String(value)]);
      const deliver = () => fetch(service.url + path, { method, body, headers: fields });
      await (given[seen.length - 1] ?? turns.pass)(response, deliver);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    closers.push(() => {
      server.closeAllConnections();
      server.close();
    });
    return { url: `http://127.0.0.1:${Object(server.address()).port}`, seen };
  };

  /** One update through these turns: its result, the waits between its attempts in ms, and the attempts. */
  const update = async (
    given: readonly Turn[],
    change: Partial<FileUpdate> = {},
    options: Partial<ClientOptions> = {},
  ) => {
    const { url, seen } = await start(...given);
    const waits: number[] = [];
    const client = aClient({ baseUrl: url, sleep: async (ms) => void waits.push(ms), ...options });
    const result = await client.updateFile({ ...anUpdate, ...change });
    return { result, waits, attempts: seen.length };
  };
  return { start, update, tables: () => tables };
};

/** A client of the demo data's editor with a fixed clock, that waits for nothing. */
export const aClient = (options: Pick<ClientOptions, 'baseUrl'> & Partial<ClientOptions>) =>
  createClient({
    ...{ apiKey: 'demo-editor-key', tenantId: 'acme', userId: 'grace' },
    ...{ now: () => NOW, random: () => 0.5, sleep: async () => undefined },
    ...options,
  });

/** An update of the demo file. */
export const anUpdate = {
  spaceId: 'handbook',
  fileId: '3f2b8c1e-6a4d-4c57-9e0f-1b7a2d9c5e80',
  patch: { summary: 'New.' },
} as const;

/** The demo file after this update. */
export const aView = (overrides: Record<string, unknown> = {}) => ({
  ...{ id: '3f2b8c1e-6a4d-4c57-9e0f-1b7a2d9c5e80', originalName: 'onboarding.pdf' },
  ...{ summary: 'New.', language: 'en', documentKind: 'guide', domain: 'hr' },
  ...{ chunksCount: 12, charactersCount: 18_450 },
  tags: [
    { key: 'audience', value: 'new hires', aiExtracted: true },
    { key: 'status', value: 'approved', aiExtracted: false },
  ],
  ...overrides,
});
