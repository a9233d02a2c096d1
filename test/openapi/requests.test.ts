import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { outcomes } from '#test/support/outcomes.ts';
import { projectRoot } from '#tools/project.ts';
import { operation } from './support/document.ts';
import { problemsOf } from './support/validate.ts';

const bodyOf = (name: string): unknown => {
  const event = JSON.parse(readFileSync(join(projectRoot, 'events', `${name}.json`), 'utf8'));
  return JSON.parse(Buffer.from(event.body, event.isBase64Encoded ? 'base64' : 'utf8').toString());
};
const updated = Object.keys(outcomes).filter((name) => outcomes[name]?.status === 200);

// What JSON Schema cannot see stands in words: a field that stands twice, and text that is no Unicode.
const refused = [
  'patch-empty',
  'field-not-editable',
  'field-unknown',
  'several-problems',
  'summary-wrong-type',
  'summary-too-long',
  'document-kind-too-long',
  'body-array',
  'body-null',
];

test('the media types are those that are accepted', () => {
  expect(Object.keys(operation.requestBody.content)).toEqual([
    'application/json',
    'application/merge-patch+json',
  ]);
});

describe.each(Object.entries(operation.requestBody.content))('%s', (_, { schema }) => {
  test.each(updated)('the body of %s fits', (name) => {
    expect(problemsOf(schema, bodyOf(name))).toEqual([]);
  });

  test.each([
    ['summary', 10_000],
    ['documentKind', 256],
  ])('%s holds %d characters and no more', (name, limit) => {
    expect(problemsOf(schema, { [name]: '👋'.repeat(limit) })).toEqual([]);
    expect(problemsOf(schema, { [name]: 'x'.repeat(limit + 1) })).not.toEqual([]);
  });

  test.each(refused)('the body of %s does not', (name) => {
    expect(problemsOf(schema, bodyOf(name))).not.toEqual([]);
  });
});
