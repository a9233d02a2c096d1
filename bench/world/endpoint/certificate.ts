import { generate } from 'selfsigned';

/** PEM: what a server of 127.0.0.1 shows, and what whoever calls it has to trust. */
export type Certificate = { readonly key: string; readonly cert: string; readonly authority: string };

// DynamoDB's own certificates are RSA; P-256 keeps the server's part of the handshake off a small machine.
const kind = { keyType: 'ec', curve: 'P-256', algorithm: 'sha256' } as const;

/** A certificate for 127.0.0.1 and the authority that signed it, both new. */
export const makeCertificate = async (): Promise<Certificate> => {
  const authority = await generate([{ name: 'commonName', value: 'space-files bench' }], {
    ...kind,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  const server = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
    ...kind,
    ca: { key: authority.private, cert: authority.cert },
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
    ],
  });
  return { key: server.private, cert: server.cert, authority: authority.cert };
};
