import { once } from 'node:events';
import { connect } from 'node:net';

/** Sends bytes as they are and gives back all that comes until the server hangs up. */
export const exchange = async (port: number, ...parts: (string | Buffer)[]): Promise<string> => {
  const socket = connect(port, '127.0.0.1');
  const received: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => received.push(chunk));
  // The server may hang up on what it refuses to read.
  socket.on('error', () => undefined);
  for (const part of parts) socket.write(part);
  await once(socket, 'close');
  return Buffer.concat(received).toString('latin1');
};

/** Status and body of a raw response. */
export const statusAndBody = (response: string): { status: number; body: string } => ({
  status: Number(response.split(' ')[1]),
  body: response.slice(response.indexOf('\r\n\r\n') + 4),
});
