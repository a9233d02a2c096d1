import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** A request as it came in. */
type Seen = {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
};
type Exchange = {
  readonly response: ServerResponse;
  /** Hands the request to the service behind, and gives its answer. */
  readonly deliver: () => Promise<Response>;
};

/** What happens to one request on its way. */
export type Turn = (exchange: Exchange) => void | Promise<void>;

/** A server in front of the service that treats the requests as the turns say; those after the last one pass. */
export const startFaultyFront = async (service: string, turns: readonly Turn[]) => {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url: path = '', headers } = request;
    const body = String(await buffer(request));
    seen.push({ method, path, headers, body });
    const { host, connection, 'content-length': length, 'transfer-encoding': encoding, ...passed } = headers;
    const deliver = () =>
      fetch(service + path, { method, body, headers: new Headers(Object.entries(passed).map(toField)) });
    await (turns[seen.length - 1] ?? turn.pass)({ response, deliver });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    seen: (): readonly Seen[] => seen,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

const toField = ([name, value]: [string, string | string[] | undefined]): [string, string] => [
  name,
  String(value),
];

/** The kinds of turns. */
export const turn = {
  pass: async ({ response, deliver }: Exchange) => {
    const answer = await deliver();
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
  },
  /** Any answer in the service's place, which never learns of the request. */
  answer:
    (status: number, body: string, headers: Record<string, string> = {}): Turn =>
    ({ response }) => {
      response.writeHead(status, headers).end(body);
    },
  /** The connection ends before the service has the request. */
  resetBefore: ({ response }: Exchange) => {
    response.destroy();
  },
  /** The connection ends after the service has done what was asked. */
  resetAfter: async ({ response, deliver }: Exchange) => {
    await deliver();
    response.destroy();
  },
  /** The answer is applied, and breaks off in its body. */
  cutAfter: async ({ response, deliver }: Exchange) => {
    const answer = await deliver();
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.write((await answer.text()).slice(0, 20), () => response.destroy());
  },
  /** Nothing, until `close`. */
  hang: () => undefined,
};
