import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { onTestFinished } from 'vitest';
import { createCertificate } from '#tools/bundle/certificate.ts';
import { listen } from '#tools/listen.ts';

/** Bytes in place of a record of TLS, which the client cannot read. */
export const spoiledRecords = {
  'cannot be decrypted': Buffer.from([0x17, 3, 3, 0, 64, ...Array(64).fill(7)]),
  'is too long': Buffer.from([0x17, 3, 3, 255, 255]),
  'has an unknown type': Buffer.from([0x63, 3, 3, 0, 16, ...Array(16).fill(7)]),
};

/** Both ends of a connection end together. */
const bind = (one: Socket, other: Socket): void => {
  one.on('error', () => undefined).on('close', () => other.destroy());
  other.on('error', () => undefined).on('close', () => one.destroy());
};

/**
 * Speaks TLS in front of a server for the rest of a test, and spoils what is on the wire.
 *
 * @param port that of the server behind it
 */
export const startTls = async (port: number) => {
  const { cert, key } = createCertificate();
  /** The connections of clients, by the port that the next server sees. */
  const clients = new Map<number | undefined, Socket>();
  const spoiledHandshakes: Uint8Array[] = [];
  let spoilsNextRequest = false;

  const secured = createTlsServer({ cert, key }, async (secure) => {
    const plain = connect(port, '127.0.0.1');
    bind(secure, plain);
    await once(plain, 'connect');
    const client = clients.get(secure.remotePort);
    if (client) clients.set(plain.localPort, client);
    secure.pipe(plain).pipe(secure);
  }).on('tlsClientError', () => undefined);
  const securedPort = await listen(secured);

  const wire = createServer(async (client) => {
    const bytes = spoiledHandshakes.shift();
    if (bytes) return void client.on('error', () => undefined).end(bytes);
    const inside = connect(securedPort, '127.0.0.1');
    bind(client, inside);
    await once(inside, 'connect');
    clients.set(inside.localPort, client);
    client.on('data', (data) => {
      // The last byte is a part of what TLS compares to notice a change.
      if (spoilsNextRequest) data[data.length - 1] = Number(data.at(-1)) ^ 1;
      spoilsNextRequest = false;
      inside.write(data);
    });
    inside.pipe(client);
  });
  const wirePort = await listen(wire);
  onTestFinished(() => {
    for (const client of clients.values()) client.destroy();
    wire.close();
    secured.close();
  });

  return {
    endpoint: `https://127.0.0.1:${wirePort}`,
    /** What a client must trust. */
    cert,
    /** Ends the connection of a request that came to the server behind with these bytes, in place of a response. */
    spoilResponse: ({ socket }: { readonly socket: Socket }, bytes: Uint8Array): void =>
      void clients.get(socket.remotePort)?.end(bytes),
    /** The next new connection gets these bytes in place of a handshake. */
    spoilHandshake: (bytes: Uint8Array): void => void spoiledHandshakes.push(bytes),
    /** Changes the next bytes of a client, which must be a request. */
    spoilRequest: (): void => {
      spoilsNextRequest = true;
    },
  };
};
