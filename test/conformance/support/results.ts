import type { Result } from '../runner/result.ts';

/** One result of each kind, in two groups, with text that XML has to escape. */
export const exampleResults: readonly Result[] = [
  { group: 'First', name: 'One that passed', ms: 12, outcome: { kind: 'passed' } },
  {
    group: 'First',
    name: 'One with "<quotes>" & more',
    ms: 3.4,
    outcome: {
      kind: 'failed',
      failure: {
        sent: 'PATCH /a; {"summary":"<b>"}',
        expected: '200; {"summary":"<b>"}',
        got: '500; \u0000 & no more',
      },
    },
  },
  {
    group: 'Second',
    name: 'One that was skipped',
    ms: 0,
    outcome: { kind: 'skipped', reason: 'the world has nothing for {apiKeys.viewer}' },
  },
];
