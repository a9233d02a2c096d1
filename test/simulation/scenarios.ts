import { kinds } from '#test/support/fixtures.ts';
import { messageFaults, retryableFaults, unknownOutcomes } from '#test/support/message-faults.ts';
import type { Scenario } from './model.ts';

const a = { name: 'A', process: 0, patch: { summary: 'A' } } as const;
const b = { name: 'B', process: 1, patch: { summary: 'B' } } as const;
const kind = { name: 'B', process: 1, patch: { documentKind: kinds[0] } } as const;
const keyed = { ...a, idempotencyKey: 'key' } as const;
const again = { ...keyed, name: 'A again', process: 1, repeats: 'A' } as const;
const otherBody = { ...kind, idempotencyKey: 'key' } as const;

/** Bounds that several scenarios have. */
const anyFault = { faultLimit: 1, faults: messageFaults } as const;
const unknownOutcome = { faultLimit: 1, faults: unknownOutcomes } as const;
const lateOrLost = { faultLimit: 1, faults: ['late', 'response lost'] } as const;
const large = { ...a, patch: { summary: 'AAAAAA' } } as const;
const largeTogether = [kind, { name: 'C', process: 1, patch: { documentKind: null } }] as const;
const oneClockAhead = { clocksAheadMs: [60_000], maxCharacters: 11, ...unknownOutcome } as const;
const recreated = ['delete file', 'create file'] as const;
const firstForgotten = {
  events: ['other writes until it is forgotten'],
  history: true,
  clocksAheadMs: [0, 60_000],
} as const;
/** What is searched whole: every schedule within these bounds. Each name says what only this scenario shows. */
export const scenarios: readonly Scenario[] = [
  { name: 'two writers, each fault of a message once', requests: [a, kind], ...anyFault },
  {
    name: 'If-Match holds for each write of a request, whose clock is behind',
    requests: [{ ...a, ifMatch: 'initial' }, b],
    clocksAheadMs: [-60_000],
    ...unknownOutcome,
  },
  {
    name: 'If-Match lists etags to come',
    requests: [{ ...a, ifMatch: 'future' }, b],
    clocksAheadMs: [20, 0],
    history: true,
    ...lateOrLost,
  },
  {
    name: 'key, space and owner change during the access read',
    requests: [a],
    events: ['revoke key', 'make space private', 'make user the owner'],
    reads: true,
    faultLimit: 1,
    faults: ['lost', '500', 'of another item, applied', 'unprocessed'],
  },
  {
    name: 'key and space change between two requests of one process',
    requests: [a, { ...kind, process: 0 }],
    events: ['revoke key', 'make space private'],
    reads: true,
    faultLimit: 0,
    faults: [],
  },
  {
    name: 'a process freezes and thaws',
    requests: [a, b],
    faultLimit: 2,
    faults: ['late'],
    processFaults: ['freeze'],
  },
  {
    name: 'clocks jump ahead and back',
    requests: [a, { name: 'C', process: 0, patch: { summary: 'C' } }, b],
    faultLimit: 2,
    faults: [],
    processFaults: ['clock jumps ahead', 'clock jumps back'],
  },
  {
    name: 'two values are too large together',
    requests: [large, ...largeTogether],
    ...oneClockAhead,
    limits: { 'later write replaced': 15 },
  },
  {
    name: 'two values are too large together, and a request has the etag that its caller has read',
    requests: [{ ...large, ifMatch: 'initial' }, ...largeTogether],
    ...oneClockAhead,
  },
  {
    name: 'the network delivers a message twice',
    requests: [a, b],
    faultLimit: 2,
    faults: ['duplicate', 'lost'],
  },
  {
    name: 'the file is deleted and created again between attempts, without what it remembered',
    requests: [a],
    events: recreated,
    history: true,
    faultLimit: 2,
    faults: ['late', '500, applied', 'throttled'],
  },
  {
    name: 'the file is created again with a version below that of an update on its way',
    requests: [a],
    clocksAheadMs: [60_000],
    events: recreated,
    ...unknownOutcome,
    limits: { 'file created again': 8 },
  },
  {
    name: 'a late copy of its first creation brings the deleted file back, and all clocks agree',
    requests: [{ ...a, ifMatch: 'initial' }, b],
    events: ['delete file', 'create file by a late copy of its first creation'],
    history: true,
    ...lateOrLost,
    limits: { 'file created again': 340 },
  },
  {
    name: 'the file is created again with the remembered writes of an older copy',
    requests: [a, { ...b, ifMatch: 'initial' }],
    events: ['delete file', 'create file with writes of a copy'],
    history: true,
    ...unknownOutcome,
    limits: { 'file created with old writes': 419 },
  },
  {
    name: 'a request with a key is repeated while another one writes',
    requests: [keyed, again, { ...kind, process: 2 }],
    ...unknownOutcome,
  },
  {
    name: 'a repeated request may still take effect after the file has forgotten it',
    requests: [keyed, again],
    ...firstForgotten,
    ...lateOrLost,
    limits: { 'key forgotten': 149 },
  },
  {
    name: 'a key is used with two bodies, of which the file forgets the first',
    requests: [keyed, otherBody],
    ...firstForgotten,
    ...lateOrLost,
    limits: { 'key forgotten': 346 },
  },
  {
    name: 'a key is used with two patches that clear different fields',
    requests: [
      { ...keyed, patch: { summary: null } },
      { ...otherBody, patch: { documentKind: null } },
    ],
    ...lateOrLost,
  },
  {
    name: 'one writer alone succeeds after any two faults',
    requests: [a],
    faultLimit: 2,
    faults: retryableFaults,
    allSucceed: true,
  },
  {
    name: 'a request whose messages are all lost ends at its deadline',
    requests: [a],
    faultLimit: 20,
    faults: ['lost'],
  },
];
