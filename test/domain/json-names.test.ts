import { expect, test } from 'vitest';
import { topLevelNames } from '#lib/domain/file-patch.ts';

test.each([
  ['{}', []],
  [' { "a" : 1 } ', ['a']],
  ['{"b":1,"a":2,"10":3,"9":4}', ['b', 'a', '10', '9']],
  ['{"a":1,"a":2}', ['a', 'a']],
  ['{"\\u0061":1,"a":2}', ['a', 'a']],
  ['{"a":{"b":1,"c":[{"d":2}]},"e":[{"f":3}]}', ['a', 'e']],
  ['{"a":"{\\"b\\":1,","c":"}]"}', ['a', 'c']],
  ['{"":1,":":2,"\\"":3,"\\\\":4}', ['', ':', '"', '\\']],
  ['{"__proto__":1,"constructor":2}', ['__proto__', 'constructor']],
])('the names of %s stand in the order of the text, repeats included', (json, names) => {
  expect(topLevelNames(json)).toEqual(names);
});
