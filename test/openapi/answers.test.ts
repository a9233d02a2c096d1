import { expect, test } from 'vitest';
import { answers } from '#lib/http/responses.ts';
import { answerRows } from '#local/openapi/answer-rows.ts';
import { messagesOf, operation, responseOf } from './support/document.ts';
import { problemsOf } from './support/validate.ts';

// A patch that does not fit always brings messages of its own.
const { 'patch-invalid': _, ...fixed } = answers;

test.each(Object.entries(fixed))('%s stands in openapi.yaml', (code, { status, message }) => {
  const { examples } = responseOf(status)?.content['application/json'] ?? {};
  expect(examples?.[code]?.value).toEqual({ message });
});

test('no status stands there that nobody answers', () => {
  const answered = [200, 429, ...Object.values(answers).map(({ status }) => status)];
  expect(Object.keys(operation.responses)).toEqual([...new Set(answered)].toSorted().map(String));
});

test('every message of a patch that does not fit, in the words of the contract', () => {
  const others = Object.values(fixed).map(({ message }) => message);
  const one = 'documentKind must be at most 256 characters';
  const unknown = (name: string) => `Unknown field "${name}"; editable fields are summary, documentKind`;
  expect(messagesOf(400).filter((message) => !others.includes(message))).toEqual([
    'Duplicate field "summary"',
    'Field "language" is not editable',
    unknown('x'),
    'summary must be a string or null',
    'documentKind must be a string or null',
    'summary must be at most 10000 characters',
    one,
    'summary contains invalid Unicode',
    'documentKind contains invalid Unicode',
    `Field "tags" is not editable; summary must be a string or null; ${unknown('x')}; ${one}; ${unknown('2')}`,
  ]);
});

test('no two answers have the same place in the order of checks', () => {
  const places = answerRows.map(({ at }) => at);
  expect([...new Set(places)]).toEqual(places);
});

test.each(Object.entries(operation.responses))(
  'the examples of %s fit their schema',
  (_status, { content }) => {
    const { schema, examples } = content['application/json'];
    for (const { value } of Object.values(examples)) expect(problemsOf(schema, value)).toEqual([]);
  },
);
