import { once } from 'node:events';
import type { Server } from 'node:net';

/** Lets a server listen on this machine only. @param port 0 chooses a free one @returns the port */
export const listen = async (server: Server, port = 0, host = '127.0.0.1'): Promise<number> => {
  await once(server.listen(port, host), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
};
