import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { respondAsStub } from '../tools/bundle/stub.ts';
import { listen } from '../tools/listen.ts';
import { buildFolder } from './build.ts';
import { environmentOf } from './fixture.ts';
import type { Environment } from './process.ts';

/** Starts a stub of DynamoDB over TLS, and gives the environment of a process that calls it. */
export const startStub = async (): Promise<Environment> => {
  // Installed only when the benchmark starts.
  const { generate } = await import('selfsigned');
  const extensions = [{ name: 'subjectAltName' as const, altNames: [{ type: 7 as const, ip: '127.0.0.1' }] }];
  const { private: key, cert } = await generate([], { keyType: 'ec', algorithm: 'sha256', extensions });
  const authority = join(buildFolder, 'authority.pem');
  mkdirSync(buildFolder, { recursive: true });
  writeFileSync(authority, cert);
  // A variant that pauses between two calls must find its connection open, as at DynamoDB.
  const server = createServer({ key, cert, keepAliveTimeout: 60_000 }, respondAsStub);
  const url = `https://127.0.0.1:${await listen(server)}`;
  // It does not keep this process running.
  server.unref();
  return { ...environmentOf(url), NODE_EXTRA_CA_CERTS: authority };
};
