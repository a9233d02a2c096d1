import type { Case, Group } from '../case.ts';
import { updated } from './answers.ts';

/** Absent is kept, null is cleared, a value is set: every combination, and what it leaves of before. */
const combinations = [
  ['{"summary":"New."}', 'New.', 'before'],
  ['{"summary":null}', null, 'before'],
  ['{"documentKind":"new"}', 'Before.', 'new'],
  ['{"documentKind":null}', 'Before.', null],
  ['{"summary":"New.","documentKind":"new"}', 'New.', 'new'],
  ['{"summary":"New.","documentKind":null}', 'New.', null],
  ['{"summary":null,"documentKind":"new"}', null, 'new'],
  ['{"summary":null,"documentKind":null}', null, null],
  ['{"documentKind":"new","summary":"New."}', 'New.', 'new'],
] as const;

const shapes = ['detailed', 'basic'] as const;

/** What each patch makes of a file, in both shapes. */
export const threeStates: Group = {
  title: 'Absent, null, value',
  cases: shapes.flatMap((file) => [
    ...combinations.map(
      ([body, summary, documentKind]): Case => ({
        name: `${body} is applied to a file of the ${file} shape`,
        file,
        send: { body },
        expect: updated(summary, documentKind),
      }),
    ),
    {
      name: `Clearing what is cleared leaves it so in the ${file} shape`,
      file,
      steps: [
        { send: { body: '{"summary":null,"documentKind":null}' }, expect: updated(null, null) },
        { send: { body: '{"documentKind":null}' }, expect: updated(null, null) },
        { send: { body: '{"summary":"Back."}' }, expect: updated('Back.', null) },
      ],
    },
    {
      name: `An empty text and null are two things in the ${file} shape`,
      file,
      steps: [
        { send: { body: '{"summary":"","documentKind":null}' }, expect: updated('', null) },
        { send: { body: '{"documentKind":""}' }, expect: updated('', '') },
        { send: { body: '{"summary":null}' }, expect: updated(null, '') },
      ],
    },
  ]),
};
