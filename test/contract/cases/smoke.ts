import { connect } from 'node:tls';
import { expect } from 'vitest';
import {
  type Case,
  fileChanged,
  fileNotFound,
  type Group,
  invalid,
  one,
  rejected,
  spaceNotFound,
} from '../case.ts';
import type { Fixture } from '../fixture.ts';
import { createHarness } from '../harness.ts';
import { groups } from './all.ts';

/** Cases of the contract that a gateway can break, and a rejection of each check. */
const names = new Set([
  'x-user-id missing is rejected',
  'x-user-id sent twice is rejected',
  'x-user-id sent under two spellings of its name is rejected',
  'x-tenant-id sent twice is rejected',
  'Header names are case-insensitive',
  'An unknown API key is rejected',
  'A valid API key sent twice is rejected',
  'An unknown tenant is denied',
  'No media type is rejected as a media type',
  'A body compressed with gzip is rejected',
  'A body of 131072 bytes is accepted',
  'A body without a length has the same limit',
  'A request without a body is rejected',
  'An unknown space is not found',
  'A space id is case-sensitive',
  'A percent-encoded id is the id',
  'A file id is not trimmed',
  'A list sent as two headers is one list',
  'The etag of a 412 matches',
  'summary keeps an emoji of several characters',
  'Query parameters are ignored',
]);

const gateway = (status: number, message: string) =>
  ({ ...rejected(status, message), gateway: true }) as const;
const notFound = gateway(404, 'Not Found');
const file = '{files.private.id}';
const space = '{spaces.private}';
/** A weak etag never matches: a request that reaches the file changes nothing. */
const headers = { 'if-match': 'W/"0"' };

/** What only API Gateway shows: its own responses, and how it decodes paths. */
const gatewayCases: readonly Case[] = [
  one('API Gateway rejects another method', { method: 'GET', body: null, headers }, notFound),
  one('API Gateway rejects another path', { path: `/v2/spaces/${space}/files/${file}`, headers }, notFound),
  one(
    'API Gateway rejects other letter case',
    { path: `/v1/Spaces/${space}/files/${file}`, headers },
    notFound,
  ),
  one('A path is not decoded twice', { space: '{spaces.public|twice}', headers }, spaceNotFound),
  // API Gateway may keep it in the id, or take it for two ids.
  one('An encoded slash leads to no other file', { space: `${space}%2Fx`, headers }, [
    spaceNotFound,
    notFound,
  ]),
  // API Gateway may keep it in the id, or end the id there.
  one('An encoded question mark leads to no other file', { file: `${file}%3Fx`, headers }, [
    fileNotFound,
    fileChanged,
  ]),
  one(
    'API Gateway rejects a body above 10 MB',
    { body: Buffer.alloc(10 * 1024 * 1024 + 1, ' '), headers },
    gateway(413, 'Request Entity Too Large'),
  ),
];

const ofContract = groups.flatMap(({ cases }) => cases).filter(({ name }) => names.has(name));

/** All cases of the smoke test, for the one file that there is: it may have either shape. */
export const smokeGroups: readonly Group[] = [
  { title: 'API Gateway', cases: gatewayCases.map((given) => ({ ...given, file: 'private' })) },
  { title: 'The contract', cases: ofContract.map((given) => ({ ...given, file: 'private' })) },
];

const TIMEOUT_MS = 10_000;

/** The TLS version of a connection. Rejects for a certificate that is not valid. */
export const checkTls = ({ hostname, port }: URL): Promise<string | null> =>
  new Promise((resolve, reject) => {
    const host = hostname.replace(/^\[|\]$/g, '');
    const socket = connect({ host, port: Number(port || 443), servername: host });
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error('no TLS handshake within 10 s')));
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      resolve(socket.getProtocol());
      socket.destroy();
    });
  });

const AT_ONCE = 50;

/**
 * Sends `count` requests that fail the first check, and so cost an invocation and no read. Fails unless API Gateway
 * rejects some of them with 429, and the function responds to the others.
 */
export const checkBurst = async (baseUrl: URL, fixture: Fixture, count: number): Promise<void> => {
  const responses: string[] = [];
  let left = count;
  const sender = async () => {
    const harness = createHarness(baseUrl, fixture);
    while (left-- > 0) {
      const { status, text } = await harness.send({ headers: { 'x-user-id': null } }, 'private', {
        gateway: true,
      });
      responses.push(`${status} ${text}`);
    }
    await harness.close();
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, count) }, sender));
  const served = `400 ${JSON.stringify({ message: invalid('x-user-id is required').message })}`;
  const limited = '429 {"message":"Too Many Requests"}';
  expect([...new Set(responses)].toSorted(), `the responses to ${count} requests`).toStrictEqual([
    served,
    limited,
  ]);
};
