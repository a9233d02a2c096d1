import { pick } from '#test/proof/support/random.ts';
import { answer, type BadRequest, type Generator, generators } from '../support/generator.ts';
import { asBody, int, unicode, word } from '../support/text.ts';

const notJson = (body: string, isBase64Encoded = false): BadRequest => ({
  body,
  isBase64Encoded,
  expected: [answer.notJson],
});

const aPatch = (random: () => number): string =>
  JSON.stringify({ summary: unicode(random), ...(random() < 0.5 && { documentKind: word(random) }) });

export const bodyGenerators: readonly Generator[] = [
  ...generators('body', {
    missing: ({ random }) => ({
      extra: {
        body: pick(random, [null, undefined, '']),
        isBase64Encoded: pick(random, [true, false, null]),
      },
      expected: [answer.bodyMissing],
    }),
    'white space alone': ({ random }) =>
      notJson(pick(random, [' ', '\n', '\t', '\r\n']).repeat(int(random, 1, 99))),
    'cut off': ({ random }) => {
      const json = aPatch(random);
      return {
        ...asBody(random, json.slice(0, int(random, 1, json.length - 1))),
        expected: [answer.notJson],
      };
    },
    'no JSON, but nearly': ({ random }) => ({
      ...asBody(
        random,
        // biome-ignore format: a table
        pick(random, [
          '{"summary":"a",}', '{,"summary":"a"}', "{'summary':'a'}", '{summary:"a"}', '{"summary":NaN}', '{"summary":+1}',
          '{"summary":Infinity}', '{"summary":undefined}', '{"summary":0x10}', '{"summary":01}', '{"summary":.5}',
          '{"summary":1.}', '{"summary":1e}', '{"summary":-}', '{"summary":"a" "documentKind":"b"}', '{"summary" "a"}',
          '{"summary":"a"}}', '{{"summary":"a"}}', '{"summary":"\t"}', '{"summary":"a\nb"}', '{"summary":"\\x41"}',
          '{"summary":"\\u00g0"}', '{"summary":"\\"}', '{"summary":True}', '{"summary":nul}', '{"summary":`a`}',
          '{"summary":"a"}\u0000', '\u0000{"summary":"a"}', '{"summary":\u00a0"a"}', 'undefined', 'NaN', '[1,]', "''",
        ]),
      ),
      expected: [answer.notJson],
    }),
    comments: ({ random }) =>
      notJson(
        pick(random, [`/* ${word(random)} */{}`, `{"summary":"a"}// ${word(random)}`, `{"summary":/**/"a"}`]),
      ),
    'two documents': ({ random }) =>
      notJson(aPatch(random) + pick(random, ['', '\n', ' ', ',']) + aPatch(random)),
    'another format': ({ random }) =>
      notJson(
        // biome-ignore format: a table
        pick(random, [
          'summary=a', 'summary: a', '<summary>a</summary>', '--x\r\nContent-Disposition: form-data', '%7B%7D', 'PK\u0003',
          ")]}',\n{}", 'while(1);{}', 'callback({})', '\u001f\u008b\b', '{"summary":"a"', "' OR 1=1 --", '{{7*7}}',
        ]),
      ),
    'JSON but no object': ({ random }) => ({
      ...asBody(
        random,
        // biome-ignore format: a table
        pick(random, [
          'null', 'true', 'false', '0', '-0', '1e999', '-1e999', '""', '[]', '[{"summary":"a"}]', '"{}"', '1.5', ' null ',
          '[[[]]]', '[null]', JSON.stringify(unicode(random)), `${int(random, 0, 1e9)}`, '9'.repeat(int(random, 1, 400)),
          '['.repeat(500) + ']'.repeat(500), '"\\ud800"', '1E-999', `[${aPatch(random)}]`, JSON.stringify(aPatch(random)),
        ]),
      ),
      expected: [answer.notObject],
    }),
    'an object without fields': ({ random }) => ({
      ...asBody(random, pick(random, ['{}', '{ }', ' {}', '{\n}', '{\t\r\n }', '{}\n\n'])),
      expected: [answer.empty],
    }),
  }),
];
