import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** How a connection dies: closed in good order, at once, or without a word, as behind a box that forgot it. */
export type Farewell = 'end' | 'reset' | 'silence';

/** Passes bytes to the engine and back, and closes every connection of the function when it is told to. */
export const startClosingProxy = async (engine: string) => {
  const { port, hostname } = new URL(engine);
  const sockets = new Set<Socket>();
  let most = 0;
  const server = createServer((socket) => {
    const upstream = connect(Number(port), hostname);
    sockets.add(socket);
    most = Math.max(most, sockets.size);
    socket.on('close', () => {
      sockets.delete(socket);
      upstream.destroy();
    });
    for (const side of [socket, upstream]) side.on('error', () => undefined);
    socket.pipe(upstream).pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return {
    endpoint: `http://127.0.0.1:${address.port}`,
    /** How many connections are open, and how many ever were at one time. */
    open: () => sockets.size,
    most: () => most,
    /** Closes all, and tells how many there were. */
    closeAll: (farewell: Farewell): number => {
      const open = [...sockets];
      for (const socket of open) {
        if (farewell === 'reset') socket.resetAndDestroy();
        else if (farewell === 'end') socket.end();
        else socket.unpipe().pause();
      }
      return open.length;
    },
    stop: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
};
