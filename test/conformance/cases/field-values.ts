import type { Case, Group } from '../case.ts';
import { refused } from './answers.ts';

const fields = ['summary', 'documentKind'];
const otherTypes = ['true', 'false', '0', '12.5', '[]', '["A"]', '{}', '{"text":"A"}'];
const brokenText = ['\\ud83d', 'A\\ud83d', '\\udc4bA', '\\udc4b\\ud83d', '\\ud83d\\u0041'];

const wrong = (name: string, body: string, message: string): Case => ({
  name,
  send: { body },
  expect: refused(400, message),
});

/** Row 4 of the contract's table, last: the values in the body. */
export const fieldValues: Group = {
  title: 'Values of fields',
  cases: [
    ...fields.flatMap((field) =>
      otherTypes.map((json) =>
        wrong(`${field} cannot be ${json}`, `{"${field}":${json}}`, `${field} must be a string or null`),
      ),
    ),
    ...fields.flatMap((field) =>
      brokenText.map((json) =>
        wrong(
          `${field} cannot hold "${json}"`,
          `{"${field}":"${json}"}`,
          `${field} contains invalid Unicode`,
        ),
      ),
    ),
    wrong(
      'Nothing is written when one of two fields does not fit',
      '{"summary":"A","documentKind":7}',
      'documentKind must be a string or null',
    ),
    wrong(
      'Both fields are told when neither fits',
      `{"documentKind":[],"summary":"${'a'.repeat(10_001)}"}`,
      'documentKind must be a string or null; summary must be at most 10000 characters',
    ),
  ],
};
