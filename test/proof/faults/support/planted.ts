import type { FileHistory, Problem } from './history.ts';
import { but, end, saw } from './sound.ts';

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
