import { body } from './body.ts';
import { byHand } from './by-hand.ts';
import { caller } from './caller.ts';
import { byApi, byGateway, type Case, cases, gateway, noRoute, rejected, type Way } from './case.ts';
import { event } from './event.ts';
import { faults } from './faults.ts';
import { fields } from './fields.ts';
import { encodeTwice, fixture } from './fixture.ts';
import { idempotency } from './idempotency.ts';
import { order } from './order.ts';
import { stored } from './stored.ts';
import { target } from './target.ts';
import { update } from './update.ts';

/** All cases of the contract. */
export const allCases: readonly Case[] = [
  ...caller,
  ...body,
  ...fields,
  ...target,
  ...update,
  ...idempotency,
  ...order,
  ...event,
  ...stored,
  ...faults,
  ...byHand,
];

/** The cases whose requests can travel this way. */
export const casesFor = (way: Way): readonly Case[] =>
  allCases.filter(({ only }) => only === undefined || only === way || (only === 'event' && way !== 'url'));

/** Cases of the contract that a gateway can break, and a rejection of each check. */
const names = [
  'x-user-id missing is rejected',
  'x-user-id sent twice is rejected',
  'x-user-id under two spellings is rejected',
  'x-tenant-id sent twice is rejected',
  'Header names are case-insensitive',
  'An unknown API key is rejected',
  'A valid API key sent twice is rejected',
  'An unknown tenant is denied',
  'No media type is rejected',
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
  'A PATCH that a header calls DELETE is a PATCH, or has no route',
  'A POST that a header calls PATCH has no route, or is a PATCH',
];

const space = fixture.spaces.public;
const file = fixture.files.detailed.id;
const path = `/v1/spaces/${space}/files/${file}`;
/** A weak etag never matches: a request that reaches the file changes nothing. */
const headers = { 'if-match': 'W/"0"' };

/** The cases of the smoke test, all for the one file that there is. First those that API Gateway responds to. */
export const deploymentCases: readonly Case[] = [
  ...cases(byApi(noRoute.httpApi, noRoute.restApi), {
    'Another method is rejected': { method: 'PUT', body: null, headers },
    'Another path is rejected': { path: path.replace('/v1', '/v2'), headers },
    'Other letter case is rejected': { path: path.replace('/spaces', '/Spaces'), headers },
  }),
  // A REST API passes a path on as it was sent. An HTTP API changes it (docs/contract.md, Ids in the path).
  ...cases(byApi(rejected('file-changed'), rejected('space-not-found')), {
    'An id that is encoded twice is decoded twice, or is another id': { space: encodeTwice(space), headers },
  }),
  ...cases(byApi(rejected('file-changed'), rejected('file-not-found')), {
    'An encoded question mark ends an id, or is a part of it': { file: `${file}%3Fx`, headers },
  }),
  ...cases(byGateway, {
    'An encoded slash leads to no file': { space: `${space}%2Fx` },
  }),
  // The two APIs have different texts.
  ...cases(gateway(413), {
    'A body above 10 MB is rejected': { body: Buffer.alloc(10 * 1024 * 1024 + 1, ' '), headers },
  }),
  ...names.map((name) => {
    const found = allCases.find((one) => one.name === name);
    if (found === undefined) throw new Error(`There is no case "${name}"`);
    return found;
  }),
];
