import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { listen } from '../tools/dev-server/listen.ts';
import { buildFolder } from './build.ts';
import type { Environment } from './fixture.ts';

/** Milliseconds of a call to DynamoDB inside a Region. */
const callMs = 4;

/** Calls to DynamoDB and the capacity units that they consumed. */
export type Counts = { readonly calls: number; readonly readUnits: number; readonly writeUnits: number };

const Capacity = z.object({ CapacityUnits: z.number() });
const ReplySchema = z.object({ ConsumedCapacity: z.optional(z.union([Capacity, z.array(Capacity)])) });

const askForUnits = (body: Buffer): string => {
  const input: object = JSON.parse(body.toString());
  return JSON.stringify({ ...input, ReturnConsumedCapacity: 'TOTAL' });
};

const unitsIn = (reply: string): number => {
  const { ConsumedCapacity = [] } = ReplySchema.parse(JSON.parse(reply));
  return [ConsumedCapacity].flat().reduce((sum, { CapacityUnits }) => sum + CapacityUnits, 0);
};

const createCertificate = async () => {
  // Installed only when the benchmark starts.
  const { generate } = await import('selfsigned');
  return generate([{ name: 'commonName', value: '127.0.0.1' }], {
    // Elliptic curves keep the part of the server in the handshake short.
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
  });
};

/**
 * Lets `use` work with an endpoint in front of the engine: over TLS, and as far away as DynamoDB, or further if the
 * engine is slower. It adds every call to `counts`.
 */
export const withEndpoint = async <Result>(
  environment: Environment,
  use: (environment: Environment, counts: Counts) => Promise<Result>,
): Promise<Result> => {
  const { private: key, cert } = await createCertificate();
  const counts = { calls: 0, readUnits: 0, writeUnits: 0 };
  // A variant that pauses between two calls must find its connection open, as at DynamoDB.
  const server = createServer({ key, cert, keepAliveTimeout: 60_000 }, async (request, response) => {
    const startedAt = performance.now();
    const target = String(request.headers['x-amz-target']);
    const { connection: _, host: __, 'content-length': ___, ...kept } = request.headers;
    const headers = Object.entries(kept).map(([name, value]): [string, string] => [name, String(value)]);
    const body = askForUnits(await buffer(request));
    const reply = await fetch(environment.AWS_ENDPOINT_URL_DYNAMODB, { method: 'POST', headers, body });
    const replyBody = await reply.text();
    counts.calls += 1;
    counts[target.endsWith('GetItem') ? 'readUnits' : 'writeUnits'] += unitsIn(replyBody);
    // Timers are late by half a millisecond on average.
    await sleep(Math.max(0, callMs - 0.5 - (performance.now() - startedAt)));
    response.writeHead(reply.status, Object.fromEntries(reply.headers)).end(replyBody);
  });
  const url = `https://127.0.0.1:${await listen(server)}`;
  try {
    const authority = join(buildFolder, 'authority.pem');
    await writeFile(authority, cert);
    const trusted = { AWS_ENDPOINT_URL_DYNAMODB: url, NODE_EXTRA_CA_CERTS: authority };
    return await use({ ...environment, ...trusted }, counts);
  } finally {
    server.closeAllConnections();
    server.close();
  }
};
