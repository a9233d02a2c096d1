import fc from 'fast-check';
import type { Body } from './request.ts';

/** A field as it stands in the text of a body, and what the contract says to it: nothing when it is good. */
type Field = { readonly name: string; readonly value: string; readonly message?: string };

const readOnly = (name: string, value: string): Field => ({
  name,
  value,
  message: `Field "${name}" is not editable`,
});
const unknown = (name: string, value = '1', shown = name): Field => ({
  name,
  value,
  message: `Unknown field "${shown}"; editable fields are summary, documentKind`,
});
const bad = (name: string, value: string, problem: string): Field => ({
  name,
  value,
  message: `${name} ${problem}`,
});

const editable = (name: string, limit: number): readonly Field[] => [
  { name, value: '"good"' },
  { name, value: 'null' },
  ...['7', 'true', '[]', '{"S":"x"}', '1e999'].map((value) => bad(name, value, 'must be a string or null')),
  bad(name, `"${'x'.repeat(limit + 1)}"`, `must be at most ${limit} characters`),
  bad(name, `"${'😀'.repeat(limit + 1)}"`, `must be at most ${limit} characters`),
  bad(name, '"\\ud800"', 'contains invalid Unicode'),
  bad(name, '"a\\udc00b"', 'contains invalid Unicode'),
];

const pool: readonly Field[] = [
  ...editable('summary', 10_000),
  ...editable('documentKind', 256),
  readOnly('id', '"other"'),
  readOnly('originalName', '"other"'),
  readOnly('language', '"de"'),
  readOnly('domain', 'null'),
  readOnly('chunksCount', '1'),
  readOnly('charactersCount', '1'),
  readOnly('tags', '[]'),
  ...['__proto__', 'constructor', 'toString', 'Summary', 'spaceId', 'version', 'updatedBy', '2', ''].map(
    (name) => unknown(name),
  ),
  unknown('deep', '{"summary":[{"summary":"a"}]}'),
  unknown('n'.repeat(70), '1', 'n'.repeat(64)),
  unknown('😀'.repeat(70), '1', '😀'.repeat(64)),
];

/** Objects with at least one problem: told together, in the order of the body, at most five. */
export const problemBody: fc.Arbitrary<Body> = fc
  .uniqueArray(fc.constantFrom(...pool), { selector: ({ name }) => name, minLength: 1, maxLength: 8 })
  .filter((fields) => fields.some(({ message }) => message !== undefined))
  .map((fields) => {
    const messages = fields.flatMap(({ message }) => message ?? []);
    return {
      text: `{${fields.map(({ name, value }) => `${JSON.stringify(name)}:${value}`).join(',')}}`,
      isBase64Encoded: false,
      headers: {},
      means: { refusal: { status: 400, message: messages.slice(0, 5).join('; ') } },
    };
  });
