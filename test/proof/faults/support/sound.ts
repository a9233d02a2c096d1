import type { FileHistory, Operation, Patch, Snapshot } from './history.ts';

const rest = '{"language":"en"}';
/** What somebody saw of the two fields. */
export const saw = (summary: string | null, documentKind: string | null): Snapshot => ({
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
export const but = (
  changes: Readonly<Record<string, Partial<Operation>>>,
  more: Partial<FileHistory> = {},
): FileHistory => ({
  ...good,
  operations: good.operations.map((operation) => ({ ...operation, ...changes[operation.id] })),
  ...more,
});
/** The good history with another record at its end. */
export const end = (told: Partial<FileHistory['after']>) => ({ after: { ...good.after, ...told } });

/** Histories in which nothing is wrong. */
export const soundHistories: Readonly<Record<string, FileHistory>> = {
  'writes acknowledged, refused, unknown and repeated': good,
  'an unknown write that is the last': but(
    { f: {}, 'lost reply': { began: 77, answered: 78 }, c: { snapshot: saw('A', 'C') } },
    end({ version: 80, requestId: 'lost reply', ...saw('U', null) }),
  ),
  'nothing happened': { ...good, operations: [], after: { ...good.before, requestId: '' } },
};
