import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { onTestFinished } from 'vitest';
import { listen } from '#tools/listen.ts';

/** A value in DER (ITU-T X.690): its tag, the length of its content, and its content. */
const der = (tag: number, ...parts: readonly (Uint8Array | readonly number[])[]): Buffer => {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const { length } = content;
  const size = length < 128 ? [length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
};
const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts);
const text = (tag: number, value: string) => der(tag, Buffer.from(value));
const integer = (value: number) => der(0x02, [value]);
const bits = (value: Uint8Array) => der(0x03, [0], value);
const ecdsaWithSha256 = sequence(der(0x06, [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]));
const commonName = der(0x06, [0x55, 0x04, 0x03]);
const subjectAltName = der(0x06, [0x55, 0x1d, 0x11]);

/** A certificate for 127.0.0.1 that its own key has signed (RFC 5280), and this key, as PEM. Node cannot create one. */
const createCertificate = () => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(der(0x31, sequence(commonName, text(0x0c, 'space-files test'))));
  const address = der(0x87, [127, 0, 0, 1]);
  const content = sequence(
    der(0xa0, integer(2)),
    integer(1),
    ecdsaWithSha256,
    name,
    sequence(text(0x17, '200101000000Z'), text(0x17, '491231235959Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(sequence(subjectAltName, der(0x04, sequence(address))))),
  );
  const certificate = sequence(content, ecdsaWithSha256, bits(sign('sha256', content, privateKey)));
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
};

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
