import * as http from 'node:http';
import * as https from 'node:https';

/** A request with its headers as a flat list of names and values, as they are sent. */
export type HttpRequest = {
  readonly method: string;
  /** The path and query below the base URL. */
  readonly path: string;
  readonly headers: readonly string[];
  readonly body: Uint8Array;
};
/** A response. A header that came more than once is one value with commas. */
export type HttpResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
};

const TIMEOUT_MS = 10_000;

/**
 * A client for one base URL with one connection. Node's `fetch` cannot send a header twice, choose the letter case of
 * a name, or send a path as it is.
 */
export const createHttpClient = (baseUrl: URL) => {
  const { Agent, request: open } = baseUrl.protocol === 'https:' ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const prefix = baseUrl.pathname.replace(/\/+$/, '');

  const attempt = ({ method, path, headers, body }: HttpRequest) =>
    new Promise<HttpResponse | 'stale connection'>((resolve, reject) => {
      const options = {
        method,
        path: prefix + path,
        headers: ['host', baseUrl.host, ...headers],
        agent,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      };
      const request = open(baseUrl, options, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const { statusCode = 0, headersDistinct } = response;
          const fields = Object.entries(headersDistinct).map(([name, values = []]) => [
            name,
            values.join(', '),
          ]);
          const text = Buffer.concat(chunks).toString();
          resolve({ status: statusCode, headers: Object.fromEntries(fields), text });
        });
      });
      request.on('error', (error: NodeJS.ErrnoException) => {
        // The server closed a connection that was kept open: this says nothing about the request.
        if (request.reusedSocket && error.code === 'ECONNRESET') resolve('stale connection');
        else
          reject(new Error(`the service does not respond: ${error.message || error.code}`, { cause: error }));
      });
      request.end(body);
    });

  return {
    /** Sends a request. Rejects when there is no response within 10 seconds. */
    send: async (request: HttpRequest): Promise<HttpResponse> => {
      const first = await attempt(request);
      const response = first === 'stale connection' ? await attempt(request) : first;
      if (response !== 'stale connection') return response;
      throw new Error('the service closes the connection');
    },
    close: () => agent.destroy(),
  };
};
