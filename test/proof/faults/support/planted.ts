import type { FileHistory, Operation, Patch, Problem, Snapshot } from './history.ts';

const rest = '{"language":"en"}';
const saw = (summary: string | null, documentKind: string | null): Snapshot => ({
  summary,
  documentKind,
  rest,
});

/** A request that took from `at` to `at` + 1. */
const request = (id: string, at: number, patch: Patch, told: Partial<Operation>): Operation => ({
  ...{ id, patch, began: at, answered: at + 1, limitMs: 100, status: 200, repeated: false },
  ...told,
});

const good: FileHistory = {
  file: 'file-1',
  before: { version: 0, ...saw('start', null) },
  operations: [
    request('a', 10, { summary: 'A' }, { version: 10, snapshot: saw('A', null) }),
    request('b', 20, { documentKind: 'B' }, { version: 20, snapshot: saw('A', 'B') }),
    // Applied at 25, though nobody was told.
    request('lost reply', 24, { summary: 'U' }, { status: 503 }),
    request('c', 30, { documentKind: 'C' }, { version: 30, snapshot: saw('U', 'C') }),
    request('d', 40, { summary: null }, { version: 40, snapshot: saw(null, 'C') }),
    request('never came', 44, { summary: null, documentKind: 'N' }, { status: 503 }),
    request('e', 50, { summary: 'E' }, { version: 50, snapshot: saw('E', 'C'), allowed: [40] }),
    request('refused', 60, { summary: 'R' }, { status: 412, version: 50, allowed: [40] }),
    // Its first attempt was applied at 66, and again at 70 after f had come between.
    request(
      'g',
      65,
      { documentKind: null },
      { version: 70, snapshot: saw('F', null), repeated: true, answered: 75 },
    ),
    request('f', 66, { summary: 'F' }, { version: 68, snapshot: saw('F', null) }),
  ],
  after: { version: 70, requestId: 'g', ...saw('F', null) },
  hidden: { before: '{}', after: '{}' },
};

/** The good history with some of its operations told differently. */
const but = (
  changes: Readonly<Record<string, Partial<Operation>>>,
  more: Partial<FileHistory> = {},
): FileHistory => ({
  ...good,
  operations: good.operations.map((operation) => ({ ...operation, ...changes[operation.id] })),
  ...more,
});
const end = (told: Partial<FileHistory['after']>) => ({ after: { ...good.after, ...told } });

/** Histories in which nothing is wrong. */
export const soundHistories: Readonly<Record<string, FileHistory>> = {
  'writes acknowledged, refused, unknown and repeated': good,
  'an unknown write that is the last': but(
    { f: {}, 'lost reply': { began: 77, answered: 78 }, c: { snapshot: saw('A', 'C') } },
    end({ version: 80, requestId: 'lost reply', ...saw('U', null) }),
  ),
  'nothing happened': { ...good, operations: [], after: { ...good.before, requestId: '' } },
};

/** What went wrong, the rule that must tell it, and the history. */
export const plantedHistories: readonly (readonly [string, Problem['rule'], FileHistory])[] = [
  ['lost write', 'older value came back', but({ c: { snapshot: saw('start', 'C') } })],
  ['lost write at the end', 'end not explained', but({}, end(saw('E', null)))],
  ['lost clear', 'older value came back', but({ e: { snapshot: saw('E', 'B') } })],
  ['stale snapshot', 'older value came back', but({ b: { snapshot: saw('start', 'B') } })],
  ['answer without its own write', 'own write missing', but({ b: { snapshot: saw('A', null) } })],
  ['duplicate version', 'version given twice', but({ f: { version: 70 } })],
  [
    'late duplicate over a newer write',
    'older value came back',
    but({ e: { patch: { documentKind: 'E' }, snapshot: saw('A', 'E') } }),
  ],
  [
    'cross-field wipe',
    'older value came back',
    but({ e: { snapshot: saw('E', null) }, 'never came': { patch: {} } }),
  ],
  ['value of another file or field', 'value of nobody', but({ e: { snapshot: saw('E', 'A') } })],
  [
    'attribute that no patch names',
    'field not sent was changed',
    but({ e: { snapshot: { ...saw('E', 'C'), rest: '{}' } } }),
  ],
  [
    'internal attribute',
    'field not sent was changed',
    but({}, { hidden: { before: '{}', after: '{"x":1}' } }),
  ],
  ['order violation', 'out of order', but({ a: { version: 45 }, 'lost reply': { patch: {} } })],
  ['look at an old version', 'out of order', but({ refused: { version: 30 } })],
  [
    'write seen before its turn',
    'out of order',
    but({
      g: { patch: { documentKind: 'G' }, snapshot: saw('F', 'G'), repeated: false },
      f: { snapshot: saw('F', 'G') },
    }),
  ],
  ['late surfacing', 'surfaced late', but({ 'lost reply': { began: 11, answered: 12 } })],
  [
    'late surfacing of a clear',
    'older value came back',
    but({
      g: { patch: { summary: 'F' }, snapshot: saw('F', null) },
      f: { snapshot: saw('F', null) },
      'never came': { patch: { documentKind: null } },
    }),
  ],
  ['value before its request', 'value from the future', but({ 'lost reply': { began: 90, answered: 91 } })],
  [
    '4xx that was applied',
    'refused but applied',
    but({ 'lost reply': { status: 412, version: 20, allowed: [10] } }),
  ],
  ['If-Match ignored', 'If-Match ignored', but({ e: { allowed: [30] } })],
  ['412 for the version that was named', 'wrongly refused', but({ refused: { allowed: [50] } })],
  ['refused without a reason', 'wrongly refused', but({ 'never came': { status: 401 } })],
  ['late answer', 'answered late', but({ f: { answered: 167 } })],
  ['record of nobody', 'end not explained', but({}, end({ requestId: 'stranger', version: 71 }))],
  ['record older than the last answer', 'end not explained', but({}, end({ version: 68, requestId: 'f' }))],
];
