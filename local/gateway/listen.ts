import { once } from 'node:events';
import type { Server } from 'node:http';
import { Complaint, codeOf, reasonOf } from '#local/complaint.ts';

const drainMs = 500;

/** A gateway that answers at http://localhost:`port`. `close` gives open requests half a second to end. */
export type Listener = { port: number; close: () => Promise<void> };

/**
 * Listens on 127.0.0.1, and on ::1 where there is one: `localhost` may mean either. Port 0 picks a free one. Throws
 * a Complaint when the port is taken.
 */
export const listen = async (createServer: () => Server, port: number): Promise<Listener> => {
  const ipv4 = createServer();
  const chosen = await listenOn(ipv4, '127.0.0.1', port);
  const ipv6 = createServer();
  try {
    await listenOn(ipv6, '::1', chosen);
  } catch (error) {
    if (error instanceof Complaint && port !== 0) {
      ipv4.close();
      throw error;
    }
    return { port: chosen, close: () => closeServer(ipv4) };
  }
  const close = async () => {
    await Promise.all([closeServer(ipv4), closeServer(ipv6)]);
  };
  return { port: chosen, close };
};

/** The port it listens on. A port that may not be had is the user's to change; no IPv6 at all is not. */
const listenOn = async (server: Server, host: string, port: number): Promise<number> => {
  try {
    server.listen({ port, host });
    await once(server, 'listening');
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EADDRINUSE') {
      throw new Complaint(`Port ${port} is taken: stop what listens there, or choose another with --port.`);
    }
    if (code === 'EACCES') throw new Complaint(`Port ${port} may not be used: choose another with --port.`);
    throw new Error(`cannot listen on ${host}: ${reasonOf(error)}`, { cause: error });
  }
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
};

const closeServer = async (server: Server): Promise<void> => {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), drainMs);
  await closed;
  clearTimeout(timer);
};
