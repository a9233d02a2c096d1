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
const asBase64 = (bytes: Uint8Array | string): BadRequest =>
  notJson(Buffer.from(bytes).toString('base64'), true);

/** Bytes that are no UTF-8: cut off, over-long, a surrogate, beyond the last plane, or never allowed. */
// biome-ignore format: a table
const brokenBytes: readonly [number[], ...number[][]] = [
  [0xff], [0xfe], [0xc0, 0xaf], [0xe0, 0x80, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xc3], [0xe2, 0x82],
  [0x80], [0xf8, 0x88, 0x80, 0x80, 0x80], [0xed, 0xbf, 0xbf],
];

export const bodyEncodingGenerators: readonly Generator[] = generators('body', {
  'a byte order mark': ({ random }) => ({
    ...asBody(random, `\ufeff${aPatch(random)}`),
    expected: [answer.notJson],
  }),
  'UTF-16': ({ random }) => {
    const bytes = Buffer.from(`${random() < 0.5 ? '\ufeff' : ''}${aPatch(random)}`, 'utf16le');
    return asBase64(random() < 0.5 ? bytes : bytes.swap16());
  },
  'Latin 1': ({ random }) => asBase64(Buffer.from(`{"summary":"${word(random)}é"}`, 'latin1')),
  'broken UTF-8': ({ random }) => {
    const head = Buffer.from(`{"summary":"${word(random)}`);
    return asBase64(Buffer.concat([head, Buffer.from(pick(random, brokenBytes)), Buffer.from('"}')]));
  },
  'broken base64': ({ random }) => {
    const good = Buffer.from(`{"summary":"${'a'.repeat(3 * int(random, 1, 9) + 2)}"}`).toString('base64');
    const wrong = [
      good.replaceAll('=', ''),
      `${good}=`,
      `${good}\n`,
      ` ${good}`,
      `${good.slice(0, 8)}\r\n${good.slice(8)}`,
    ];
    return notJson(
      pick(random, ['!!!!', '====', '-_-_', `${good}é`, `data:;base64,${good}`, ...wrong]),
      true,
    );
  },
  'text that is said to be base64': ({ random }) => notJson(aPatch(random), true),
  'base64 that is said to be text': ({ random }) =>
    notJson(Buffer.from(aPatch(random)).toString('base64'), false),
  'base64 twice': ({ random }) => asBase64(Buffer.from(aPatch(random)).toString('base64')),
  'any bytes': ({ random }) =>
    asBase64(
      Buffer.concat([
        Buffer.from([0xff]),
        Buffer.from(Array.from({ length: 60 }, () => int(random, 0, 255))),
      ]),
    ),
});
