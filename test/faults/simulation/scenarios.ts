import { messageFaults, retryableFaults, unknownOutcomes } from './faults.ts';
import type { Scenario } from './simulate.ts';

const a = { name: 'A', process: 0, patch: { summary: 'A' } } as const;
const b = { name: 'B', process: 1, patch: { summary: 'B' } } as const;
const bElsewhere = { ...b, process: 2 };
const kind = { name: 'B', process: 1, patch: { documentKind: 'B' } } as const;
const c = { name: 'C', process: 2, patch: { summary: 'C' } } as const;
const keyed = { ...a, idempotencyKey: 'key' } as const;
const again = { ...keyed, name: 'A again', process: 1, repeats: 'A' } as const;
const otherBody = { ...kind, idempotencyKey: 'key' } as const;
const otherKeyed = { ...b, process: 0, idempotencyKey: 'other key' } as const;
const ifInitial = { ifMatch: 'initial' } as const;
const aIfInitial = { ...a, ...ifInitial };

/** Bounds that several scenarios have. */
const noFault = { faultLimit: 0, faults: [] } as const;
const anyFault = { faultLimit: 1, faults: messageFaults } as const;
const unknownOutcome = { faultLimit: 1, faults: unknownOutcomes } as const;
const lateOrLost = { faultLimit: 1, faults: ['late', 'response lost'] } as const;
const twoFaults = { faultLimit: 2, faults: ['late', '500, applied', 'throttled'] } as const;
const apart = { clocksAheadMs: [60_000, 0], ...twoFaults } as const;
const recreated = ['delete file', 'create file'] as const;
const sevenOthers = { events: ['seven other writes'], history: true } as const;
const eightOthers = { events: ['eight other writes'], history: true } as const;
/** What is searched whole: every schedule within these bounds. */
export const scenarios: readonly Scenario[] = [
  { name: 'three writers of two fields, one fault', requests: [a, kind, c], ...unknownOutcome },
  { name: 'two writers of one field, two faults', requests: [a, b], ...unknownOutcome, faultLimit: 2 },
  { name: 'two writers, one fault of any kind', requests: [a, kind], ...anyFault },
  {
    name: 'a writer whose clock is behind, two faults of its read and its write',
    requests: [a],
    clocksAheadMs: [-60_000],
    reads: true,
    faultLimit: 2,
    faults: ['500', 'throttled'],
  },
  {
    name: 'two writers with If-Match, one fault',
    requests: [aIfInitial, { ...b, ...ifInitial }],
    ...anyFault,
  },
  {
    name: 'a writer with If-Match whose clock is behind, and another, one fault',
    requests: [aIfInitial, b],
    clocksAheadMs: [-60_000],
    ...unknownOutcome,
  },
  {
    name: 'two writers, the file deleted and created again, one fault',
    requests: [a, kind],
    events: recreated,
    faultLimit: 1,
    faults: ['lost', 'reset, late'],
  },
  { name: 'two writers, clocks 60 s apart, two faults', requests: [a, b], ...apart },
  { name: 'two writers in the same millisecond, one fault', requests: [a, b], stepMs: 0, ...anyFault },
  {
    name: 'a key revoked, a space made private and its owner changed during the access read, one fault',
    requests: [a],
    events: ['revoke key', 'make space private', 'make user the owner'],
    reads: true,
    faultLimit: 1,
    faults: ['lost', '500', 'of another item, applied', 'unprocessed'],
  },
  {
    name: 'a key revoked and a space made private between two requests of one process',
    requests: [a, { ...kind, process: 0 }],
    events: ['revoke key', 'make space private'],
    reads: true,
    ...noFault,
  },
  {
    name: 'two writers, a process frozen and thawed, two faults',
    requests: [a, b],
    faultLimit: 2,
    faults: ['late'],
    processFaults: ['freeze'],
  },
  {
    name: 'two processes, clocks that jump, two faults',
    requests: [a, { ...c, process: 0 }, b],
    faultLimit: 2,
    faults: [],
    processFaults: ['clock jumps ahead', 'clock jumps back'],
  },
  {
    name: 'two writers whose summary and kind are too large together, one fault',
    requests: [
      { ...a, patch: { summary: 'AAAAAA' } },
      { ...kind, patch: { documentKind: 'BBBBBB' } },
      { name: 'C', process: 1, patch: { documentKind: null } },
    ],
    clocksAheadMs: [60_000],
    maxCharacters: 11,
    ...unknownOutcome,
    limits: { 'later write replaced': 15 },
  },
  {
    name: 'two writers, messages delivered twice, two faults',
    requests: [a, b],
    faultLimit: 2,
    faults: ['duplicate', 'lost'],
  },
  {
    name: 'three writers of a file with a history, one fault',
    requests: [a, kind, c],
    history: true,
    ...unknownOutcome,
  },
  {
    name: 'two writers of a file with a history, clocks 60 s apart, two faults',
    requests: [a, b],
    history: true,
    ...apart,
  },
  {
    name: 'two writers, and seven writes of others, one fault',
    requests: [a, b],
    ...sevenOthers,
    ...unknownOutcome,
  },
  {
    name: 'two writers, one with If-Match, and seven writes of others, one fault',
    requests: [aIfInitial, b],
    ...sevenOthers,
    ...unknownOutcome,
  },
  {
    name: 'a repeated request with a key, another writer, and seven writes of others, no fault',
    requests: [keyed, again, bElsewhere],
    events: ['seven other writes'],
    ...noFault,
    limits: { 'key forgotten': 54 },
  },
  {
    name: 'a writer, the file deleted and created again, two faults',
    requests: [a],
    events: recreated,
    ...twoFaults,
  },
  {
    name: 'a repeated request with a key, and another writer, one fault',
    requests: [keyed, again, { ...kind, process: 2 }],
    ...unknownOutcome,
  },
  {
    name: 'a repeated request with a key and If-Match, and another writer, one fault',
    requests: [{ ...keyed, ...ifInitial }, { ...again, ...ifInitial }, bElsewhere],
    history: true,
    ...unknownOutcome,
  },
  {
    name: 'a repeated request with a key, clocks 60 s apart, two faults',
    requests: [keyed, again],
    clocksAheadMs: [60_000, 0],
    faultLimit: 2,
    faults: ['late', 'duplicate', '500, applied', 'throttled'],
  },
  {
    name: 'a request with a key repeated twice by one process, and another writer, no fault',
    requests: [keyed, again, { ...again, name: 'A third time' }, bElsewhere],
    ...noFault,
  },
  {
    name: 'one writer alone succeeds, two faults',
    requests: [a],
    faultLimit: 2,
    faults: retryableFaults,
    allSucceed: true,
  },
  {
    name: 'one writer whose messages are lost until its deadline',
    requests: [a],
    faultLimit: 20,
    faults: ['lost'],
  },
  {
    name: 'a writer whose clock is ahead, the file deleted and created again, one fault',
    requests: [a],
    clocksAheadMs: [60_000],
    events: recreated,
    ...unknownOutcome,
    limits: { 'file created again': 8 },
  },
  {
    name: 'a writer, the file created again without a version, one fault',
    requests: [a],
    events: ['delete file', 'create file without version'],
    ...unknownOutcome,
    limits: { 'file created again': 8 },
  },
  {
    name: 'a key used with two bodies, and eight writes of others, one fault',
    requests: [keyed, otherBody],
    ...eightOthers,
    ...lateOrLost,
    limits: { 'key forgotten': 296 },
  },
  {
    name: 'a key used with two bodies, one by a clock ahead, and eight writes of others, one fault',
    requests: [keyed, otherBody],
    clocksAheadMs: [0, 60_000],
    ...eightOthers,
    ...lateOrLost,
    limits: { 'key forgotten': 346 },
  },
  {
    name: 'a repeated request with a key, its clock ahead, and eight writes of others, one fault',
    requests: [keyed, again],
    clocksAheadMs: [0, 60_000],
    ...eightOthers,
    ...lateOrLost,
    limits: { 'key forgotten': 149 },
  },
  {
    name: 'the first use of a key by two processes in the same millisecond, one fault',
    requests: [keyed, { ...keyed, name: 'A at once', process: 1 }],
    stepMs: 0,
    ...anyFault,
  },
  {
    name: 'two keys, each used twice, no fault',
    requests: [keyed, again, otherKeyed, { ...otherKeyed, name: 'B again', process: 1, repeats: 'B' }],
    ...noFault,
  },
  {
    name: 'a writer whose If-Match lists etags to come, and one whose clock is behind, one fault',
    requests: [{ ...a, ifMatch: 'future' }, b],
    clocksAheadMs: [20, 0],
    history: true,
    ...lateOrLost,
  },
];
