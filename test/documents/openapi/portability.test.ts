import { expect, test } from 'vitest';
import * as z from 'zod';
import { openapi } from '#test/support/openapi.ts';

const ComponentsSchema = z.object({
  parameters: z.record(z.string(), z.looseObject({ required: z.boolean() })),
  schemas: z.record(z.string(), z.looseObject({ type: z.string() })),
});
const { parameters, schemas } = ComponentsSchema.parse(openapi['components']);

/** All texts of a key, anywhere in openapi.yaml. */
const textsOf = (key: string): readonly string[] => {
  const texts: string[] = [];
  JSON.stringify(openapi, (name, value) => {
    if (name === key && typeof value === 'string') texts.push(value);
    return value;
  });
  return texts;
};

test('no optional parameter has a value that Swagger UI and Postman would send unasked', () => {
  const isPrefilled = (parameter: object) => /"(?:examples?|default)":/.test(JSON.stringify(parameter));
  const optional = Object.entries(parameters).filter(([, { required }]) => !required);
  expect(optional.map(([name, parameter]) => [name, isPrefilled(parameter)])).toEqual([
    ['IfMatch', false],
    ['IdempotencyKey', false],
  ]);
});

test('no line of a description begins like an item of a list, a heading or a quotation', () => {
  const blocks = textsOf('description').flatMap((text) => text.match(/^ *(?:\d+[.)]|[-+*>]|#+) .*/gm) ?? []);
  expect(blocks).toEqual([]);
});

/** Names that a common language has in scope, or in its standard library. PHP ignores the case of a name. */
const builtIns = new Set(
  `${Object.getOwnPropertyNames(globalThis).join(' ')}
  Any AnyObject ArrayList Arrays Attribute Bool Box Byte Callable Char Character Class Clone Cloneable
  Closure Collection Comparable Complex Copy Data DateTime Decimal Default Delegate Dictionary Dir
  Double Drop Dynamic Encoding Enum Enumerable Enumerator Env Environment Err Error Exception Expression
  Fiber Field File Float Future Generator Guid Hash Header Http IO Identifiable Instant Int Integer
  Interface Iterable Kernel Key Lambda Lazy List Locale Long Marshal Message Method Module Mutex Nil
  None Nothing Null Objects Ok Operation Option Optional Ordering Override Package Pair Path Pattern
  Proc Property Protocol Queue Random Range Rational Record Regex Result Runtime Scanner Self Sequence
  Short Signal Some Stack Stream Struct System Task Thread Throwable Time Timer Trace Triple Tuple Type
  URI UUID Uint Union Unit Value Vec Vector Version Void Warning`
    .toLowerCase()
    .split(/\s+/),
);
const builtInsOf = (names: readonly string[]) => names.filter((name) => builtIns.has(name.toLowerCase()));

test('no schema has the name of something that is built into a common language', () => {
  expect(builtInsOf(Object.keys(schemas))).toEqual([]);
  expect(builtInsOf(['File', 'FileMetadata', 'Error', 'ErrorResponse', 'Tag'])).toEqual(['File', 'Error']);
});

/**
 * I-Regexp (RFC 9485), the regular expressions that all common engines read alike, in printable ASCII and between
 * anchors.
 */
const escaped = String.raw`\\[(-+\-.?[-^nrt{-}]`;
const inClass = `(?:[ -,.-Z^-~]|${escaped})`;
const outsideClass = String.raw`[ -#%-',\-/->@-Z_-z~]`;
const quantifier = String.raw`[*+?]|\{\d+(?:,\d*)?\}`;
const iRegexp = new RegExp(
  String.raw`^\^(?:\[\^?(?:${inClass}(?:-${inClass})?)+-?\]|${escaped}|${outsideClass}|${quantifier}|\((?!\?)|[|)])+\$$`,
);

test('every pattern is portable', () => {
  expect(textsOf('pattern').filter((pattern) => !iRegexp.test(pattern))).toEqual([]);
});

test('the check of patterns rejects what engines read in different ways, and a missing anchor', () => {
  const classes = ['^[!-\\xFF]+$', '^[a-\\u00ff]+$', '^[^\\s,]+$', '^[a-é]$', '^[[a]]$'];
  const escapes = ['^W\\/$', '^\\s+$', '^\\d+$', '^\\p{L}$'];
  const others = ['^(?:a|b)$', '^(?=a)b$', '^a', 'a$', '^a$|^b$'];
  expect([...classes, ...escapes, ...others].filter((pattern) => iRegexp.test(pattern))).toEqual([]);
});

test('every object of a response may gain fields, and a patch has no others', () => {
  const objects = Object.entries(schemas).filter(([, { type }]) => type === 'object');
  expect(objects.map(([name, schema]) => [name, schema['additionalProperties']])).toEqual([
    ['FilePatch', false],
    ['FileMetadata', true],
    ['Tag', true],
    ['ErrorResponse', true],
  ]);
});
