import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { reasonOf } from '#tools/cli.ts';
import { failed, passed, skipped } from '../../conformance/runner/result.ts';
import type { Check } from './check.ts';

const timeoutMs = 10_000;

/** Shakes hands, which takes a valid certificate, and tells what was agreed on. */
const shakeHands = ({ hostname, port }: URL) =>
  new Promise<{ version: string | null; http: string }>((resolve, reject) => {
    const host = hostname.replace(/^\[|\]$/g, '');
    const socket = connect({
      host,
      port: Number(port || 443),
      ...(isIP(host) === 0 && { servername: host }),
      ALPNProtocols: ['h2', 'http/1.1'],
    });
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error('no answer in time')));
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      resolve({ version: socket.getProtocol(), http: socket.alpnProtocol || 'HTTP/1.1' });
      socket.destroy();
    });
  });

/** The connection is private, and the certificate is the host's. */
export const tls: Check = {
  name: 'The certificate is valid, and TLS is 1.2 or newer',
  run: async ({ baseUrl }) => {
    if (baseUrl.protocol !== 'https:') return { outcome: skipped('the URL is http') };
    const sent = `a TLS handshake with ${baseUrl.host}`;
    const expected = 'TLSv1.2 or TLSv1.3';
    try {
      const { version, http } = await shakeHands(baseUrl);
      if (version === 'TLSv1.2' || version === 'TLSv1.3')
        return { outcome: passed, note: `${version}, offers ${http}` };
      return { outcome: failed({ sent, expected, got: String(version) }) };
    } catch (error) {
      return { outcome: failed({ sent, expected, got: reasonOf(error) }) };
    }
  },
};
